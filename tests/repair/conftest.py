"""What most tests of repair ask: is this text repaired, and is nothing found in it then?"""

import os

import pytest

import shapewright
from shapewright.chosen import chosen_settings
from shapewright.diagnosis import diagnose
from shapewright.repair.all import repaired_texts
from shapewright.repair.candidate import Case
from shapewright.repair.invariants import broken
from shapewright.repair.invariants.change import Change
from shapewright.repair.patch import edited
from shapewright.repair.remedies import candidates
from shapewright.run.process.request import RunRequest


@pytest.fixture
def repaired(resident, tmp_path):
    """Repairs a script's text; gives the new text, in which nothing is found any more. With `unsafe` no safe repair
    may be known, and the first unsafe one is taken."""

    def repair(faulty: str, unsafe: bool = False) -> str:
        path = tmp_path / "train.py"
        path.write_text(faulty)
        if unsafe:
            assert not shapewright.fix(path, resident=resident)
        texts, left = repaired_texts(str(path), resident, unsafe=unsafe)
        assert not left  # by the last repair's own run, of the usual length and with probes
        return texts[str(path)]

    return repair


@pytest.fixture
def proposed(resident, tmp_path):
    """Runs a script once and gives, for its first finding of a code (any where none is named), the run, the finding and
    the candidates, none of which is run."""

    def propose(text: str, code: str = ""):
        path = tmp_path / "train.py"
        path.write_text(text)
        trace = resident.run(RunRequest(script=str(path), cwd=str(tmp_path)))
        found = diagnose(trace, chosen_settings(str(path))).findings
        finding = next(f for f in found if f.code == code or not code)
        return trace, finding, candidates(Case(trace, finding))

    return propose


@pytest.fixture
def broken_by(proposed, resident, tmp_path):
    """The kind of the invariant that an edit of a script breaks, `""` where it keeps all: of the first candidate that
    writes a text, run once."""

    def ask(text: str, written: str, code: str = "") -> str:
        trace, finding, found = proposed(text, code)
        one = next(c for c in found if written in "".join(edited(trace.sources, c.edits).values()))
        texts = {os.path.abspath(file): new for file, new in edited(trace.sources, one.edits).items()}
        after = resident.run(RunRequest(script=trace.script, cwd=str(tmp_path), sources=texts))
        found = broken(Change(trace, after, finding, texts, (one,), ((trace, finding),)))
        return found.kind if found is not None else ""

    return ask
