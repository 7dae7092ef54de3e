"""A busy machine is given more time, within bounds; one that tells nothing is taken for idle."""

import os
import time
from dataclasses import replace

import pytest

from shapewright.run.device.worlds import in_one_world
from shapewright.run.process.known import Known
from shapewright.run.process.request import RunRequest, Small
from shapewright.run.process.strain import Clock, strain, waited
from shapewright.trace import Failure, Outcome, Seen, Site, Trace


@pytest.mark.parametrize("waiting, expected", [(0.1, 1.0), (2.0, 1.0), (5.0, 2.5), (100.0, 4.0)])
def test_time_grows_with_the_processes_that_wait(waiting, expected, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(os, "getloadavg", lambda: (waiting, 0.0, 0.0))
    assert strain() == expected


def test_a_system_that_does_not_tell_is_taken_for_idle(monkeypatch):
    monkeypatch.delattr(os, "getloadavg")
    assert strain() == 1.0


def test_time_in_which_the_machine_computes_for_others_is_given_back(monkeypatch):
    told = {"waited": 1.0, "now": 100.0}
    monkeypatch.setattr("shapewright.run.process.strain.waited", lambda pid: told["waited"])
    monkeypatch.setattr("shapewright.run.process.strain.monotonic", lambda: told["now"])
    clock = Clock(10.0)
    told.update(now=110.0, waited=5.0)
    assert clock.left() == 4.0
    told.update(now=114.0)
    assert clock.left() == 0.0
    told.update(now=135.0, waited=500.0)
    assert clock.left() == 5.0, "but not without an end"


def test_a_process_that_sleeps_waits_for_nobody():
    clock = Clock(0.1)
    time.sleep(0.11)
    assert clock.left() < 0.1
    assert waited(-1) == 0.0


def test_all_runs_of_a_check_have_one_time_and_each_a_few_seconds(monkeypatch):
    given = []

    class Runs:
        def submit(self, request, parked=None, early=None):
            given.append(request.timeout)
            return len(given)

        def result(self, ticket):
            return Trace("a.py", Outcome("incomplete", "timeout", {"seconds": f"{given[-1]:g}", "line": "3"}))

    monkeypatch.setattr("shapewright.run.process.known.strain", lambda: 2.0)
    asked = RunRequest("a.py", timeout=60.0)
    for until in (0.0, time.monotonic() + 400.0, time.monotonic() + 50.0, time.monotonic() - 1.0):
        trace = Known().run(Runs(), replace(asked, until=until))
        assert trace.outcome.fields["seconds"] == "60"  # the limit that the user set
    assert [round(seconds) for seconds in given] == [60, 60, 25, 5]


def test_an_end_that_is_the_same_in_both_worlds_is_not_met_twice_with_other_data():
    where = (Site("a.py", 3),)
    asked = []

    def once(request):
        asked.append(request.accelerator)
        failed = Failure("KeyError", "'x'", where[0], where)
        told = Outcome("incomplete", "exception", {}, where[0])
        return Trace("a.py", told, failure=failed, data=Seen(accelerator="cuda"))

    alike = set()
    for _ in range(3):
        assert in_one_world(RunRequest("a.py"), once, alike).data.accelerator == ""
    assert asked == ["", "cuda", "", ""]
    where = (Site("a.py", 9),)  # further on it may make a difference
    in_one_world(RunRequest("a.py"), once, alike)
    assert asked[4:] == ["", "cuda"]


def test_data_that_no_guess_mends_are_missing_for_every_kind_of_run():
    where, asked = (Site("a.py", 3),), []

    class Runs:
        def submit(self, request, parked=None, early=None):
            asked.append((request.small, request.guess))
            return len(asked)

        def result(self, ticket):
            failed = Failure("ValueError", "'x'", where[0], where)
            made = Seen(made=("a.txt", "2"), consulted=("width", "first", "floats"), loose=True)
            return Trace("a.py", Outcome("incomplete", "exception", {}, where[0]), failure=failed, data=made)

    known = Known()
    first = known.run(Runs(), RunRequest("a.py"))
    searched, small = len(asked), RunRequest("a.py", small=Small())
    assert searched > 1 and first.outcome.reason == "missing-data"
    assert known.run(Runs(), small).outcome == first.outcome and len(asked) == 2 * searched  # other data may serve it
