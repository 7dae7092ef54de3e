"""`python -m shapewright` is `shapewright`."""

import os
import sys

# `-m` looks in the working folder first, where a module of the user's may be called as one of ours or of Python's
if sys.path[0] == "" or sys.path[0] == os.getcwd():
    del sys.path[0]

from .cli import main

sys.exit(main())
