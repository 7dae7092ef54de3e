"""What holds for all tests: a broken rule fails the test instead of becoming an assumption, and one warm resident process serves them all."""

import gc
import os
import sys

import pytest

os.environ.setdefault("SHAPEWRIGHT_STRICT", "1")
gc.disable()  # until the tests are collected: what is imported stays


def pytest_collection_finish():
    """What was imported is never looked through again, and what a script leaves seldom: that took a tenth of the time
    of the cases that run in this process."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


@pytest.fixture(scope="session")
def resident():
    """A resident process that has torch loaded; each script runs in a child of its own."""
    from residents import Residents

    from shapewright.run.process.request import RunRequest

    with Residents() as one:
        one.run(RunRequest(__file__, probe=False))
        yield one


@pytest.fixture(autouse=True)
def paths_of_imports():
    """A script that was run in this process leaves its folder on the path and its finder before the others; after some
    hundred of them every import would ask them all. It also stays the main module, which processes begin with."""
    path, finders, bytecode, main = sys.path[:], sys.meta_path[:], sys.dont_write_bytecode, sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
    sys.path[:], sys.meta_path[:], sys.dont_write_bytecode = path, finders, bytecode
