"""Faults that only several processes have, each planted in a script of its own style: found at its line, in time. The
first line of a script names the rule; its marked lines are the cause."""

import pickle
import socket
import threading
import time
from pathlib import Path

import pytest
import torch

from shapewright.checking import examine
from shapewright.run.stand_ins.company import Company, dumped

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))
SECONDS = 20  # of the runs themselves


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_fault_of_several_processes_is_found_at_its_line(script, resident, tmp_path):
    text = script.read_text(encoding="utf-8")
    code = text.partition("# finds: ")[2].split()[0]
    marked = [number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# fault")]
    trace, diagnosis = examine(str(script), resident=resident, repair=False, cwd=str(tmp_path))
    assert [finding.code for finding in diagnosis.findings] == [code], diagnosis
    finding = diagnosis.findings[0]
    lines = [finding.site.line, *(label.site.line for label in finding.labels), *(one.line for one in finding.origins)]
    assert any(abs(line - mark) <= 1 for line in lines for mark in marked), (lines, marked)
    assert trace.work < SECONDS


def test_a_fault_of_ranks_alone_has_no_edit_that_fits_two_of_them(resident, tmp_path):
    script = next(path for path in SCRIPTS if path.stem == "tp_odd_width")
    _, diagnosis = examine(str(script), resident=resident, cwd=str(tmp_path))
    assert not diagnosis.findings[0].fixes
    assert any("rank 0 of 2" in assumption.note for assumption in diagnosis.assumptions)


def test_each_rank_gets_what_the_other_holds(resident, tmp_path):
    text = """
import os, torch, torch.distributed as dist
dist.init_process_group("gloo")
rank, world = dist.get_rank(), dist.get_world_size()
if world > 1:
    x = torch.tensor([1.0 + rank, 10.0])
    total = x.clone(); dist.all_reduce(total)
    most = x.clone(); dist.all_reduce(most, op=dist.ReduceOp.MAX)
    parts = [torch.zeros(2) for _ in range(world)]; dist.all_gather(parts, x)
    names = [f"of {rank}"]; dist.broadcast_object_list(names, src=0)
    pieces = [torch.full((2,), 10.0 * rank + to) for to in range(world)]
    mine = [torch.empty(2) for _ in range(world)]; dist.all_to_all(mine, pieces)
    half = torch.empty(1); dist.reduce_scatter_tensor(half, x)
    got = torch.empty(2)
    for one in dist.batch_isend_irecv([dist.P2POp(dist.isend, x, 1 - rank), dist.P2POp(dist.irecv, got, 1 - rank)]):
        one.wait()
    told = [total, most, *parts, names, *mine, half, got]
    right = (total.tolist() == [3.0, 20.0] and most.tolist() == [2.0, 10.0] and names == ["of 0"]
        and torch.stack(parts)[:, 0].tolist() == [1.0, 2.0] and [m[0].item() for m in mine] == [rank, 10.0 + rank]
        and half.item() == (3.0, 20.0)[rank] and got.tolist() == [2.0 - rank, 10.0])
    torch.zeros(2) + torch.zeros(2 if right else 3)
"""
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident, repair=False)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, (diagnosis.reason, diagnosis.findings)


def companies():
    return [Company(end.detach()) for end in map(_ready, socket.socketpair())]


def _ready(end):
    end.setblocking(False)
    return end


def both(one, other):
    """What two do at the same time."""
    given = {}
    threads = [
        threading.Thread(target=lambda key=key, do=do: given.update({key: do()})) for key, do in ((0, one), (1, other))
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return given[0], given[1]


def test_two_that_wait_for_each_other_are_told_at_once():
    left, right = companies()
    began = time.monotonic()
    assert both(lambda: left.receive(("recv", (2,), 5)), lambda: right.receive(("recv", (2,), 9))) == (None, None)
    assert left.parted[0][2] == 5 and right.parted[0][2] == 9 and time.monotonic() - began < 5


def test_a_letter_that_is_under_way_is_waited_for():
    left, right = companies()

    def answer():
        got = right.receive(("recv", (1,), None))
        right.send(got[0] + 1)
        return right.receive(("recv", (1,), None))

    def ask():
        left.send(1)
        got = left.receive(("recv", (1,), None))
        time.sleep(0.1)
        left.send(got[0] + 1)
        return got

    assert both(ask, answer) == ((2,), (3,))


def test_large_values_cross_in_both_directions():
    left, right = companies()
    call = ("all_reduce", (1 << 20,), None)
    mine, theirs = both(lambda: left.meet(call, torch.ones(1 << 20)), lambda: right.meet(call, torch.zeros(1 << 20)))
    assert mine[0].sum() == 0 and theirs[0].sum() == 1 << 20


def test_a_bfloat16_tensor_is_the_same_afterwards():
    given = torch.randn(3, 2).bfloat16().t()
    assert torch.equal(pickle.loads(dumped([given]))[0], given)
