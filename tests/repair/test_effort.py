"""What a search may cost is counted in work: nothing here asks a clock."""

import math
from types import SimpleNamespace

from shapewright.repair.effort import CALLS, ENDED, OWN, SHORT, Effort, cost


def _run(events: int = 0, work: float = 0.1):
    return SimpleNamespace(events=(None,) * events, steps=(), work=work)


def test_a_short_run_costs_by_its_calls_alone_and_a_long_one_in_powers_of_two():
    assert cost(_run(CALLS, 0.1)) == cost(_run(CALLS, SHORT - 0.01)) == OWN + 1
    assert cost(_run(0, 3.9)) == cost(_run(0, 4.2)) == OWN + 4
    assert cost(_run(CALLS, 0.0)) == ENDED  # it was ended from outside, and has told nothing


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
