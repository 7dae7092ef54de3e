"""Scripts that wait for a clock or for a person; steps that are written without `backward`."""

from __future__ import annotations

import time

import pytest

TRAINED = """
import torch
w = torch.zeros(3, requires_grad=True)
(w * torch.ones(3)).sum().backward()
"""


def kinds(trace) -> list[str]:
    return [item.kind for item in trace.assumptions]


@pytest.mark.parametrize("pause", ["import time\ntime.sleep(300)", "import asyncio\nasyncio.run(asyncio.sleep(300))"])
def test_pauses_are_not_waited_for(run, pause):
    began = time.monotonic()
    assert run(f"{pause}\nx = 1").outcome.state == "complete"
    assert time.monotonic() - began < 60


def test_pauses_of_several_tasks_keep_their_order(run):
    trace = run("""
import asyncio
done = []
async def task(name, seconds):
    await asyncio.sleep(seconds)
    done.append(name)
async def main():
    await asyncio.gather(task("late", 40), task("early", 1), task("middle", 15))
asyncio.run(main())
assert done == ["early", "middle", "late"], done
""")
    assert trace.outcome.state == "complete"


def test_a_pause_in_which_a_thread_works_is_waited_for(run):
    trace = run("""
import threading, time
rows = []
def fill():
    time.sleep(0.05)
    rows.append(1)
threading.Thread(target=fill).start()
time.sleep(0.5)
assert rows
""")
    assert trace.outcome.state == "complete"


def test_questions_before_training_are_answered_once(run):
    trace = run("""
epochs = int(input("epochs? "))
assert (epochs, input("Use dropout [y/n]? "), input("mode (train | test): ")) == (1, "y", "train")
while True:
    input("more? ").strip()
""")
    assert kinds(trace) == [*["input-answered"] * 4, "input-empty"]
    assert (trace.outcome.state, trace.outcome.reason) == ("incomplete", "exception")


def test_a_person_who_may_go_on_after_training_ends_the_check(run):
    trace = run(f"{TRAINED}while True:\n    word = input('word? ')\n    print({{'known': 1}}[word])")
    assert (trace.outcome.state, kinds(trace)) == ("complete", ["input-last"])


def test_a_key_that_is_waited_for_is_not(run):
    trace = run(f"{TRAINED}for _ in range(2):\n    input('press enter')\nx = 1")
    assert (trace.outcome.state, set(kinds(trace))) == ("complete", {"input-passed"})


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("g, = torch.autograd.grad((w * w).sum(), w)", True),
        ("g = torch.func.grad(lambda v: (v * v).sum())(w)", True),
        ("g = torch.func.jacrev(lambda v: v * v)(w)", True),
        ("g = torch.func.vmap(lambda v: v * v)(w)", False),
    ],
)
def test_derivatives_that_a_script_asks_for_are_noticed(run, text, asked):
    assert run(f"import torch\nw = torch.ones(3, requires_grad=True)\n{text}").data.by_hand is asked
