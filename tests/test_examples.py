"""The examples in docstrings say what their functions do."""

import doctest
import importlib
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).parents[1] / "src"
STAND_INS = ("absent", "patches")  # which take the names of other libraries
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(ROOT.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8") and not set(STAND_INS) & set(path.parts)
]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_hold(name):
    torch.manual_seed(0)
    found = doctest.testmod(importlib.import_module(name))
    assert found.attempted and not found.failed, name
