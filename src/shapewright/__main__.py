"""`python -m shapewright` is `shapewright`."""

import os
import sys

try:
    here = os.getcwd()
except FileNotFoundError:  # the folder was deleted; `main` goes elsewhere
    here = ""
# `-m` looks in the working folder first, where a module of the user's may be called as one of ours or of Python's
if sys.path[0] in ("", here):
    del sys.path[0]

from .cli import main

sys.exit(main())
