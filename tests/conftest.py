"""What holds for all tests: a broken rule fails the test instead of becoming an assumption, and one warm resident process serves them all."""

import os
import sys

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


@pytest.fixture(autouse=True)
def paths_of_imports():
    """A script that was run in this process leaves its folder on the path and its finder before the others; after some
    hundred of them every import would ask them all."""
    path, finders, bytecode = sys.path[:], sys.meta_path[:], sys.dont_write_bytecode
    yield
    sys.path[:], sys.meta_path[:], sys.dont_write_bytecode = path, finders, bytecode
