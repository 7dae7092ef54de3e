"""Runs in one process, one after the other: what an earlier one made of a library's classes is taken back."""

import sys
from types import ModuleType

from shapewright.run.record.assume import Assumptions
from shapewright.run.stand_ins.context import Context
from shapewright.run.stand_ins.hook import Finder


def test_a_class_is_patched_once_however_many_runs_there_were(monkeypatch, tmp_path):
    module = ModuleType("accelerate.accelerator")
    depths = []

    class Accelerator:
        def __init__(self, cpu=False):
            depth, frame = 0, sys._getframe()
            while (frame := frame.f_back) is not None:
                depth += 1
            depths.append(depth)

    Accelerator.__module__, module.Accelerator = module.__name__, Accelerator
    for _ in range(30):
        finder = Finder(Context(Assumptions(), str(tmp_path), str, "script.py"))
        finder._patch(module, module.__name__)
        Accelerator(cpu=True)
    assert len(set(depths)) == 1
