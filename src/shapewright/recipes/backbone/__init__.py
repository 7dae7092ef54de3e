"""Language models as the recipes need them: packed without padding, scored at chosen tokens, saved in the usual
format."""
