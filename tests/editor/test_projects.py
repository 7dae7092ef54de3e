"""A project in an editor: several files, one that cannot be parsed, one that never ends, texts that were not saved, a
notebook of JupyterLab's, a file that is renamed."""

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from .conversation import editor

LAYERS = """\
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        return self.head(x)
"""
TRAIN = """\
import torch
from layers import Net

model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    loss = model(torch.randn(5, 8)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
ENDLESS = "import time\nimport torch\n\nwhile True:\n    time.sleep(0.1)\n    x = torch.zeros(2)\n"


def test_a_project_with_odd_files_is_followed(tmp_path):
    files = {"layers": LAYERS, "train": TRAIN, "broken": TRAIN.replace("step in", "step im"), "endless": ENDLESS}
    for name, text in files.items():
        (tmp_path / f"{name}.py").write_text(text)
    notebook = tmp_path / ".virtual_documents" / "study.ipynb"
    notebook.parent.mkdir()
    notebook.write_text("import torch\n\n\n\ntorch.nn.Linear(8, 4)(torch.randn(2, 9)).sum().backward()\n")

    def codes(made, uri):
        return [item.code for item in made.diagnostics.get(uri, [])]

    async def visit():
        async with editor(tmp_path, {"pause": 0.05, "repair": False, "timeout": 25}) as made:
            endless = made.open(tmp_path / "endless.py")
            await made.until(lambda: "begin" in made.progress)
            uris = {name: made.open(tmp_path / f"{name}.py") for name in ("layers", "broken", "train")}
            page = made.open(notebook)
            await made.until(lambda: uris["train"] in made.diagnostics and page in made.diagnostics)
            assert codes(made, uris["train"]) == [] and codes(made, page) == ["SW102"]
            assert codes(made, uris["broken"]) == [], "syntax errors are the language's own server's to tell"

            made.close(endless)
            made.change(uris["layers"], LAYERS.replace("8, 4", "9, 4"))
            await made.until(lambda: codes(made, uris["layers"]) == ["SW102"])
            assert (tmp_path / "layers.py").read_text() == LAYERS, "what was typed is not on the disk"
            made.change(uris["layers"], LAYERS)
            await made.until(lambda: codes(made, uris["layers"]) == [])

            renamed = Path(tmp_path / "train.py").rename(tmp_path / "run.py")
            made.close(uris["train"])
            renamed.write_text(TRAIN.replace("5, 8", "5, 7"))
            uri = made.open(renamed)
            await made.until(lambda: codes(made, uris["layers"]) == ["SW102"] or codes(made, uri) == ["SW102"])
            assert codes(made, uris["train"]) == [] and not made.messages
            await made.until(lambda: made.progress.count("begin") == made.progress.count("end"))

    asyncio.run(visit())
