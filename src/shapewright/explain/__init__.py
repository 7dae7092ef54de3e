"""Explains an error text or traceback without the script that raised it. It imports no torch and runs nothing.

`answer` finds the message, `families/` know the messages (one file per family of operators, found by discovery),
`arithmetic` does the sums on a message's own numbers, `unrelated` names warnings that have nothing to do with a
failure."""
