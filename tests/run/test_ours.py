"""What fails in a stand-in of ours, or in a library while the script imports it, is never a fault of the script's."""

from __future__ import annotations

import io
from types import SimpleNamespace

import torch

from shapewright.run.ending import culprit
from shapewright.run.stand_ins import checkpoints, handed_on
from shapewright.run.stand_ins.context import Context


def whose(call, **texts: str) -> str:
    try:
        call()
    except Exception as error:
        return culprit.ours(SimpleNamespace(sources=SimpleNamespace(texts=texts)), error)
    return "nothing failed"


def test_a_library_that_fails_while_it_is_imported_is_not_the_script(tmp_path, monkeypatch):
    (tmp_path / "broken_library.py").write_text("import torch\n\ntorch.zeros(2, 3) @ torch.zeros(2, 3)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    own = {"user": "import broken_library\n"}
    assert whose(lambda: exec(compile(own["user"], "user", "exec")), **own) == "import"
    own = {"user": "import torch\ntorch.zeros(2, 3) @ torch.zeros(2, 3)\n"}
    assert whose(lambda: exec(compile(own["user"], "user", "exec")), **own) == ""


def test_a_call_of_a_stand_in_itself_is_ours_and_what_it_hands_on_is_not():
    with checkpoints.active(Context(None)):
        handed = whose(lambda: torch.load(io.BytesIO(b"no checkpoint")))
    assert (whose(lambda: handed_on.split([1], test_size="a")), handed) == ("stand-in", "")
