"""What holds for all tests: a broken rule fails the test instead of becoming an assumption, and one warm resident process serves them all."""

import functools
import gc
import os
import sys
from pathlib import Path
from types import FunctionType

import pytest
from residents import LARGE, Residents

from shapewright.run.process.request import RunRequest
from shapewright.run.script.reading import library_names

os.environ.setdefault("SHAPEWRIGHT_STRICT", "1")
gc.disable()  # until the tests are collected: what is imported stays


def pytest_collection_finish():
    """What was imported is never looked through again, and what a script leaves seldom: that took a tenth of the time
    of the cases that run in this process."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def pytest_collection_modifyitems(items):
    """What imports a large library comes first, so that one of the processes that share the tests runs nearly all of
    it: importing them takes twenty seconds of each that does."""
    weighs = functools.cache(lambda text: any(name in text for name in LARGE) and bool(library_names(text, LARGE)))
    read = functools.cache(lambda path: path.read_text(encoding="utf-8") if path.is_file() else "")

    def light(item):
        given = getattr(item, "callspec", None)
        scripts = [item.path] if given is None else given.params.values()
        texts = [read(one) if isinstance(one, Path) else one for one in scripts]
        return not any(weighs(text) for text in texts if isinstance(text, str))

    items.sort(key=light)


@pytest.fixture(scope="session")
def resident():
    """A resident process that has torch loaded; each script runs in a child of its own."""
    with Residents() as one:
        one.run(RunRequest(__file__, probe=False))
        yield one


@pytest.fixture(scope="session", autouse=True)
def patched_once():
    """What an earlier run in this process made of a library's classes is taken back before they are patched again: a
    patch of a patch, and one of that, would be as deep as there were runs. A child of a resident process runs once."""
    from shapewright.run.stand_ins.hook import Finder

    patch, found = Finder._patch, {}

    def again(self, module, name):
        if module not in found:
            found[module] = _methods(module)
        for kind, method, value in found[module]:
            if vars(kind).get(method) is not value:
                setattr(kind, method, value)
        patch(self, module, name)

    Finder._patch = again
    yield
    Finder._patch = patch


def _methods(module):
    """(class, name, function) of the methods that a module's classes define."""
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__]
    return [
        (kind, name, value) for kind in kinds for name, value in vars(kind).items() if isinstance(value, FunctionType)
    ]


@pytest.fixture(autouse=True)
def paths_of_imports():
    """A script that was run in this process leaves its folder on the path and its finder before the others; after some
    hundred of them every import would ask them all. It also stays the main module, which processes begin with."""
    path, finders, bytecode, main = sys.path[:], sys.meta_path[:], sys.dont_write_bytecode, sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
    sys.path[:], sys.meta_path[:], sys.dont_write_bytecode = path, finders, bytecode
