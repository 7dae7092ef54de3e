"""A stream is read window by window, shared between processes, and goes on at its row."""

import json
from types import SimpleNamespace

import pytest

from shapewright.recipes import reward
from shapewright.recipes.backbone.codec import Codec
from shapewright.recipes.backbone.gpt2 import GPT2Shape
from shapewright.recipes.loop import checkpoint
from shapewright.recipes.loop.state import State
from shapewright.recipes.preference.corpus import encode_corpus, raw_pairs
from shapewright.recipes.preference.rows import Complaints
from shapewright.recipes.preference.stream import Windows
from shapewright.recipes.settings import UsageError

ROWS = [{"prompt": f"Q{number}", "chosen": f" yes {number}", "rejected": " no"} for number in range(25)]


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(["{broken" if number == 3 else json.dumps(row) for number, row in enumerate(ROWS)]))
    return str(path)


def windows(data, rows=10):
    args = reward.Args(data=data, stream=rows, batch_size=2)
    complaints, codec = Complaints(), Codec.train(["Q yes no 0123456789"], 280)
    pairs, source = raw_pairs(data, codec, complaints, rows)
    options = {"held_out": 0.2, "seed": 0, "overlong": "trim"}
    corpus = encode_corpus(pairs, source, codec, 60, complaints, **options)
    assert corpus.read == rows
    return Windows(args, codec, corpus, 60), {pair.line for pair in corpus.test_pairs}


def stood(rank=0, processes=1, sizes=None, **state):
    alone = SimpleNamespace(process_index=rank, num_processes=processes)
    return SimpleNamespace(
        accelerator=alone, folder="runs/x", state=State(**state), everyones=lambda size: sizes or [size] * processes
    )


def lines(pairs):
    return [pair.line for pair in pairs]


def test_windows_follow_one_another_and_begin_anew_behind_the_end(data):
    """25 rows in tens: the third window has five, the fourth is the first again, without what is held out."""
    each, held_out = windows(data)
    run, seen = stood(), []
    for _ in range(4):
        pairs, order = each.enter(run)
        assert len(order) == -(-len(pairs) // 2)
        seen.append(lines(pairs))
        each.leave(run)
    first = [line for line in range(1, 11) if line != 4 and line not in held_out]
    assert len(held_out) == 2 and seen == [first, list(range(11, 21)), list(range(21, 26)), first]
    assert each.complaints.lines == {next(iter(each.complaints.lines)): [4, 4]}  # read twice, told twice


def test_every_process_has_its_own_rows_and_a_resumed_one_begins_at_its_window(data):
    parts = []
    for rank in range(2):
        each, _ = windows(data)
        run = stood(rank, 2, extra={"row": 10})
        pairs, order = each.enter(run)
        parts.append(lines(pairs))
        assert order.rank == rank and run.state.extra == {"row": 10, "processes": 2}
        each.leave(run)
        assert run.state.extra["row"] == 20
    assert parts == [[11, 13, 15, 17, 19], [12, 14, 16, 18, 20]]


def test_what_cannot_go_on_is_said_in_a_sentence(data):
    each, _ = windows(data)
    with pytest.raises(UsageError, match="within a window of its stream by 2 process"):
        each.enter(stood(batch=1, extra={"row": 10, "processes": 2}))
    with pytest.raises(UsageError, match="no usable pair in 10 rows of .* from row 11 on"):
        each.enter(stood(sizes=[0], extra={"row": 10}))


def test_a_process_without_a_usable_row_keeps_step(data):
    each, _ = windows(data, rows=10)
    pairs, order = each.enter(stood(1, 2, sizes=[5, 0], extra={"row": 25 - 1}))  # one row is left, the other process's
    (first, *_) = order.epoch(0)
    assert len(pairs) == 1 and not first.share and first.total == 2


def test_a_stream_cut_off_within_a_window_ends_as_if_nothing_had_happened(data, tmp_path, monkeypatch):
    monkeypatch.setattr(reward, "TINY", GPT2Shape(vocab_size=300, n_positions=32, n_embd=8, n_layer=1, n_head=1))
    settings = {"board": False, "progress": False, "device": "cpu", "precision": "no", "preflight": False}
    settings |= {"data": data, "stream": 10, "epochs": 4, "batch_size": 2, "save_every": 1}
    whole = reward.train(hparams=settings, log_dir=tmp_path / "whole")
    original, calls = reward.update, []

    def power_cut(*arguments, **options):
        calls.append(1)
        if len(calls) == 7:  # within the second window
            raise OSError("power cut")
        return original(*arguments, **options)

    monkeypatch.setattr(reward, "update", power_cut)
    with pytest.raises(OSError, match="power cut"):
        reward.train(hparams=settings, log_dir=tmp_path / "cut")
    monkeypatch.setattr(reward, "update", original)
    state = checkpoint.read_state(tmp_path / "cut" / "last.safetensors")["state"]
    assert state["extra"]["row"] == 10 and state["batch"] > 0
    assert reward.train(hparams=settings, log_dir=tmp_path / "cut") == whole
    with pytest.raises(UsageError, match="name a file or a data set"):
        reward.train(hparams={**settings, "data": ""}, log_dir=tmp_path / "none")
