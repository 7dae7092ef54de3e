"""`python -m shapewright` is `shapewright`."""

import sys

from .cli import main

sys.exit(main())
