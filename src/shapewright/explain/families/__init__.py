"""The messages, one file per family of operators. Each file has `MESSAGES`, a tuple of `Message`."""
