"""What holds for all tests: a broken rule fails the test instead of becoming an assumption."""

import os

os.environ.setdefault("SHAPEWRIGHT_STRICT", "1")
