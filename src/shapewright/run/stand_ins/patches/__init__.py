"""One file per library module: `a__b.py` holds `patch(module, context)` for module `a.b`. Files are found by name."""
