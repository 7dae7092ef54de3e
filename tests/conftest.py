"""What holds for all tests: a broken rule fails the test instead of becoming an assumption, and one warm resident process serves them all."""

import os

import pytest

os.environ.setdefault("SHAPEWRIGHT_STRICT", "1")


@pytest.fixture(scope="session")
def resident():
    """A resident process that has torch loaded; each script runs in a child of its own."""
    from shapewright.run.process.request import RunRequest
    from shapewright.run.process.supervisor import Resident

    with Resident() as one:
        one.run(RunRequest(__file__, probe=False))
        yield one
