"""The recorded exchange of an editor with a real server: open, look, repair, save, clean."""

import asyncio
import os
import signal
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from .conversation import applied, editor

FAULTY = """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(20, 16)
        self.head = nn.Linear(16, 1)

    def forward(self, x):
        größe = torch.relu(self.body(x))
        return self.head(größe)


data = TensorDataset(torch.randn(70, 20), torch.randn(70))
loader = DataLoader(data, batch_size=16)
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for inputs, targets in loader:
    predicted = model(inputs)
    loss = ((predicted - targets) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
MODULE = "import torch\n\n\ndef relu(x):\n    return torch.relu(x)\n"
SETTINGS = {"pause": 0.05}


def test_a_fault_is_shown_explained_repaired_and_gone(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(FAULTY)
    (tmp_path / "layers.py").write_text(MODULE)

    async def exchange():
        async with editor(tmp_path, SETTINGS) as made:
            module = made.open(tmp_path / "layers.py")
            uri = made.open(script)
            await made.until(lambda: made.diagnostics.get(uri))
            (shown,) = made.diagnostics[uri]
            assert shown.source == "shapewright" and shown.code.startswith("SW2") and shown.range.start.line == 22
            assert shown.code_description.href.startswith("file://") and shown.related_information
            page = shown.code_description.href.removeprefix("file://")
            assert shown.code in open(page, encoding="utf-8").read()
            assert module not in made.diagnostics, "a module that does nothing by itself was checked unasked"

            hover = await made.hover(uri, 22, 6)
            assert "**(batch=16, feature=1)**" in hover and "linear" in hover.lower()
            assert "cross" not in hover and "SW2" in await made.hover(uri, 23, 20)
            assert "batch=16" in await made.hover(uri, 13, 10), "a name beyond ASCII"
            constraint = await made.hover(uri, 14, 22)
            assert "weight (outputs, features)" in constraint and "axes with the same name" in constraint
            hints = await made.hints(uri)
            assert hints[13] == "(batch=16, feature=16)" and "inputs (batch=16, 20)" in hints[21]

            await made.until(lambda: made.progress[-1:] == ["end"])
            found = await made.actions(uri, 23)
            repairs = [action for action in found if action.is_preferred]
            allow = next(action for action in found if "Allow" in action.title)
            allowed = applied(FAULTY, allow.edit).splitlines()[22]
            assert allowed.endswith(f"  # shapewright: allow {Path(page).stem.partition('-')[2]}")
            (everything,) = await made.actions(uri, 1, ["source.fixAll.shapewright"])
            repaired = applied(FAULTY, repairs[0].edit)
            assert applied(FAULTY, everything.edit) == repaired != FAULTY

            made.change(uri, repaired)
            script.write_text(repaired)
            made.save(uri)
            await made.until(lambda: not made.diagnostics[uri])
            assert not await made.actions(uri, 23, ["quickfix"])
            assert 21 in await made.hints(uri)
            log = list(made.log)

            (comments,) = await made.actions(uri, 1, ["refactor"])
            assert "predicted = model(inputs)  # (batch, 1)" in applied(repaired, comments.edit)
            await made.command("shapewright.annotate", uri)
            await made.until(lambda: made.edits or made.messages)
            assert 'def forward(self, x: Float[Tensor, "batch 20"]):' in applied(repaired, made.edits[0])
            return log

    log = asyncio.run(exchange())
    out = [entry[1] for entry in log if entry[0] == "out"]
    assert out == ["didOpen", "didOpen", "didChange", "didSave"] and log[-1] == ("in", "publishDiagnostics", 0)


HANGS = "import torch\n\nwhile True:\n    x = torch.zeros(2)\n"


def test_a_newer_save_ends_a_run_that_hangs_and_a_killed_server_comes_back(tmp_path):
    script = tmp_path / "train.py"
    script.write_text("import time\n" + HANGS.replace("x = torch.zeros(2)", "time.sleep(10_000_000)"))

    async def exchange():
        async with editor(tmp_path, {**SETTINGS, "language": "ja"}) as made:
            uri = made.open(script)
            await made.until(lambda: "begin" in made.progress)
            (resident,) = _children(made.client._server.pid)
            while not _children(resident):  # until the script runs
                await asyncio.sleep(0.02)
            script.write_text(FAULTY.replace("model(inputs)", "model(inputs.t())"))
            made.change(uri, script.read_text())
            made.save(uri)
            await made.until(lambda: made.diagnostics.get(uri))  # long before the 60 s of the first run
            assert made.diagnostics[uri][0].code.startswith("SW1")
            assert any("\u3040" <= letter <= "\u30ff" for letter in made.diagnostics[uri][0].message)
            await made.until(lambda: made.progress[-1:] == ["end"])

            os.kill(resident, signal.SIGKILL)
            made.diagnostics.clear()
            made.save(uri)
            await made.until(lambda: uri in made.diagnostics)
            assert made.diagnostics[uri][0].code.startswith("SW1"), "another process answers"

    asyncio.run(exchange())


def _children(process: int) -> list[int]:
    """The child processes of a process."""
    found = []
    for task in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{task}/children") as children:
            found += map(int, children.read().split())
    return found
