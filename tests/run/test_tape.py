"""Tapes of losses, shares of gradients, and meetings of arrays, on small scripts run in this process."""

import torch
from torch import nn

from shapewright.probes.pairing import played
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.run.record.gradient_shares import Shares
from shapewright.run.record.nested import tensors
from shapewright.run.record.notes import Notes
from shapewright.run.record.tape import Slot, Tape, slots


def closed(calls, loss):
    """A tape fed with `(function, op, args, result)`, closed at `loss`."""
    tape = Tape(Notes())
    for function, op, args, result in calls:
        tape.note(function, op, args, {}, result, (), -1)
    tape.close(loss, ("here",), 0)
    return tape


def test_a_tape_keeps_what_the_loss_descends_from():
    x, y, other = torch.randn(4, requires_grad=True), torch.randn(4), torch.randn(4, requires_grad=True)
    gap = x - y
    aside = other * 2
    loss = gap.sum()
    tape = closed(
        [(torch.sub, "sub", (x, y), gap), (torch.mul, "mul", (other, 2), aside), (torch.sum, "sum", (gap,), loss)], loss
    )
    kept = tape.closed[0]
    assert [entry.op for entry in kept.entries] == ["sub", "sum"]
    assert sorted(tuple(leaf.value.shape) for leaf in kept.leaves.values()) == [(4,), (4,)]
    assert not any(leaf.value.requires_grad for leaf in kept.leaves.values())


def test_what_is_written_in_place_is_played_again():
    x, y = torch.randn(4, requires_grad=True), torch.randn(4)
    gap = x - y
    doubled = gap.mul_(2)
    loss = doubled.sum()
    (kept,) = closed(
        [
            (torch.sub, "sub", (x, y), gap),
            (torch.Tensor.mul_, "mul_", (gap, 2), doubled),
            (torch.sum, "sum", (doubled,), loss),
        ],
        loss,
    ).closed
    assert [entry.op for entry in kept.entries] == ["sub", "mul_", "sum"]
    for _ in range(2):  # a play leaves nothing behind
        assert torch.allclose(played(kept, {})[kept.loss], loss.detach())


def test_a_leaf_that_changes_before_backward_spoils_the_tape():
    x, y = torch.randn(4, requires_grad=True), torch.randn(4)
    tape = Tape(Notes())
    gap = x + y
    tape.note(torch.add, "add", (x, y), {}, gap, (), -1)
    loss = gap.sum()
    tape.note(torch.sum, "sum", (gap,), {}, loss, (), -1)
    y += 1
    tape.close(loss, ("here",), 0)
    assert tape.closed == []


def test_slots_and_tensors_are_found_in_nested_values():
    assert [slot.index for slot in slots(((Slot(3), 1), {"a": [Slot(5)]}))] == [3, 5]
    assert [path for path, _ in tensors({"a": (torch.ones(1), 2), "b": [torch.ones(2)]})] == [("a", 0), ("b", 0)]


def test_opposed_shares_have_a_negative_cosine_and_cleared_ones_none():
    first, second = nn.Linear(3, 1), nn.Linear(3, 1)
    optimizers = {1: torch.optim.SGD(first.parameters(), 0.1), 2: torch.optim.SGD(second.parameters(), 0.1)}
    shares, x = Shares(), torch.randn(5, 3)
    before = shares.before(optimizers)
    first(x).mean().backward()
    assert shares.after(optimizers, before, 7) == {1: (-1, 0.0)}
    before = shares.before(optimizers)
    (-first(x).mean()).backward()
    earlier, cosine = shares.after(optimizers, before, 8)[1]
    assert earlier == 7 and cosine < -0.99
    optimizers[1].zero_grad()
    before = shares.before(optimizers)
    first(x).mean().backward()
    assert shares.after(optimizers, before, 9)[1][0] == -1


def test_meetings_of_arrays_are_noted_and_values_pass_through(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\na, b = np.ones((3, 1)), np.ones(3)\nprint((a - b).shape, (a == b).sum(), np.equal(a, b).shape, 5 - 2)\n"
    )
    trace = execute(RunRequest(script=str(script)), tmp_path, Assumptions())
    assert trace.output.split() == ["(3,", "3)", "9", "(3,", "3)", "3"]
    assert sorted((site.line, left, right) for site, left, right in trace.data.arrays) == [(3, (3, 1), (3,))] * 3
