"""The commands' arguments and what each prints. Parsing is tyro's."""
