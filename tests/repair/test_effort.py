"""What a search may cost is counted in work: nothing here asks a clock."""

import math
from types import SimpleNamespace

from shapewright.repair.effort import CALLS, COMPUTED, ENDED, OWN, Effort, cost
from shapewright.run.process.request import RunRequest
from shapewright.run.record.work import PRODUCT


def _run(events: int = 0, computed: float = 0.1, work: float = 0.1, failure: object = None):
    return SimpleNamespace(events=(None,) * events, steps=(), loops=(), computed=computed, work=work, failure=failure)


def test_a_run_costs_by_its_calls_or_by_what_they_computed():
    assert cost(_run(CALLS, 0.1)) == cost(_run(CALLS, 0.9 / COMPUTED)) == OWN + 1
    assert cost(_run(CALLS, 4 / COMPUTED)) == OWN + 4
    assert cost(_run(CALLS, 0.0, work=0.0)) == ENDED  # it was ended from outside, and has told nothing


def test_two_runs_of_one_script_cost_the_same(resident, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import torch\nwide = torch.nn.Linear(2000, 2000)\nfor _ in range(3):\n    wide(torch.randn(64, 2000)).sum().backward()\n"
    )
    first, second = (resident.run(RunRequest(str(script))) for _ in range(2))
    assert first.computed == second.computed > 3 * 64 * 2000 * 2000 * PRODUCT


def test_a_part_draws_on_the_whole():
    whole = Effort(3.0)
    part = Effort(2.0, whole)
    part.spend(1.5)
    assert (part.left, whole.left, part.over) == (0.5, 1.5, False)
    whole.spend(1.5)
    assert part.over and part.left == 0.5


def test_lingering_takes_from_what_is_left_and_never_adds():
    effort = Effort(1.0)
    effort.lingering(2.0)
    assert effort.left == 1.0
    effort.lingering(0.25)
    assert effort.left == 0.25


def test_a_longer_check_may_spend_more():
    assert Effort.of_check(_run(10 * CALLS)).left > Effort.of_check(_run(CALLS)).left


def test_a_check_that_stopped_at_once_may_spend_what_it_would_have_done():
    assert Effort.of_check(_run(CALLS, failure="refused")).left > Effort.of_check(_run(CALLS)).left


def test_a_search_leaves_enough_to_ask_about_other_readings_and_both_end_within_the_whole():
    whole = Effort.of_check(_run(CALLS))
    first, allowed = whole.part(math.inf), whole.left
    while not first.over:
        first.spend(0.25)
    rest = first.rest()
    assert not rest.over and whole.part(12.0).over
    while not rest.over:
        rest.spend(0.25)
    assert whole.left > -0.25 and allowed == whole.allowance
