"""A busy machine is given more time, within bounds; one that tells nothing is taken for idle."""

import os

import pytest

from shapewright.run.process.strain import strain


@pytest.mark.parametrize("waiting, expected", [(0.1, 1.0), (2.0, 1.0), (5.0, 2.5), (100.0, 4.0)])
def test_time_grows_with_the_processes_that_wait(waiting, expected, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(os, "getloadavg", lambda: (waiting, 0.0, 0.0))
    assert strain() == expected


def test_a_system_that_does_not_tell_is_taken_for_idle(monkeypatch):
    monkeypatch.delattr(os, "getloadavg")
    assert strain() == 1.0
