"""Files that only define classes and functions are checked by the scripts that import them."""

import json
import os

from shapewright.checking import check
from shapewright.run.script.runners import LARGE, runners

LAYERS = """
import torch
class Net(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner, self.outer = torch.nn.Linear(width, 8), torch.nn.Linear({inner}, 2)
    def forward(self, x):
        return self.outer(self.inner(x))
"""
MAIN = "import torch\nfrom layers import Net\nprint(Net(5)(torch.randn(4, 5)).shape)\n"


def project(folder, files):
    for name, text in files.items():
        path = folder / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "setup.cfg").write_text("")


def built(found):
    """How a file that only defines was brought to run."""
    return [note.kind for note in found.assumptions if note.kind.startswith(("module", "run-by"))]


def test_settings_do_nothing_that_can_be_checked(tmp_path, resident):
    settings = "import torch\ndevice = torch.device('cuda' if torch.cuda.is_available() else 'cpu')\n"
    project(tmp_path, {"layers": settings + LAYERS.format(inner=8), "main": MAIN})
    found = check(tmp_path / "layers.py", resident=resident)
    assert found.outcome == "complete" and any("main.py" in note.note for note in found.assumptions)


def test_the_script_that_imports_a_module_is_run_for_it(tmp_path, resident):
    project(tmp_path, {"layers": LAYERS.format(inner=8), "main": MAIN})
    found = check(tmp_path / "layers.py", resident=resident)
    assert found.outcome == "complete" and not found.findings
    assert any("main.py" in note.note for note in found.assumptions if note.kind == "run-by")


def test_its_fault_is_found_in_the_module(tmp_path, resident):
    project(tmp_path, {"layers": LAYERS.format(inner=9), "main": MAIN})
    (finding,) = check(tmp_path / "layers.py", resident=resident).findings
    assert finding.code == "SW102" and finding.site.file.endswith("layers.py")


def test_a_script_that_lacks_something_is_no_answer(tmp_path, resident):
    project(tmp_path, {"layers": LAYERS.format(inner=8), "main": MAIN + "open('a.unknown').read()\n"})
    found = check(tmp_path / "layers.py", resident=resident)
    assert found.outcome == "complete" and built(found) == ["module-made"]


def test_where_nothing_else_is_found_how_the_script_ended_tells_what_is_missing(tmp_path, resident):
    main = "from layers import half\nprint(half(2))\nopen('a.unknown').read()\n"
    project(tmp_path, {"layers": "def half(x):\n    return x / 2\n", "main": main})
    found = check(tmp_path / "layers.py", resident=resident)
    assert found.outcome == "incomplete" and "a.unknown" in found.reason and built(found) == ["run-by"]
    (tmp_path / "main.py").unlink()
    found = check(tmp_path / "layers.py", resident=resident)
    assert found.outcome == "incomplete" and "only defines" in found.reason


def test_a_notebook_full_of_pictures_runs_what_it_imports(tmp_path):
    project(tmp_path, {"layers": LAYERS.format(inner=8)})
    cell = {"cell_type": "code", "source": MAIN, "metadata": {}, "execution_count": 1}
    cell["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": {"image/png": "A" * (LARGE + 1)}}]
    book = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "study.ipynb").write_text(json.dumps(book))
    ((found, _),) = runners(str(tmp_path / "layers.py"))
    assert found.endswith("study.ipynb")


def test_what_the_script_does_elsewhere_is_not_told(tmp_path, resident):
    wrong = "net = Net(5)\nopt = torch.optim.SGD(net.parameters(), 0.1)\nfor step in range(4):\n    x = torch.randn(8, 5)\n    "
    wrong += "net(x).pow(2).mean().backward()\n    opt.step()\n"
    project(tmp_path, {"layers": LAYERS.format(inner=8), "main": MAIN + wrong})
    assert [finding.code for finding in check(tmp_path / "main.py", resident=resident).findings] == ["SW301"]
    found = check(tmp_path / "layers.py", resident=resident)
    assert found.outcome == "complete" and not found.findings
    project(tmp_path, {"main": MAIN + "torch.nn.Linear(3, 2)(torch.randn(4, 5))\n"})
    found = check(tmp_path / "layers.py", resident=resident)
    assert found.outcome == "complete" and not found.findings and built(found) == ["module-made"]


def test_runners_are_found_by_way_of_others_nearest_first(tmp_path):
    files = {
        "package/core/loss": "def loss(a, b): return a - b",
        "package/core/steps": "from .loss import loss\ndef step(): return loss(1, 2)",
        "package/train": "from package.core.steps import step\nprint(step())",
        "package/__init__": "from .core.loss import loss",
        "package/__main__": "from package import loss\nprint(loss)",
        "scripts/run": "from package.core import loss\nprint(loss)",
        "scripts/other": "import torch.nn.loss\nfrom numpy import loss\nprint(loss)",
        "unread": "from package.core.loss import loss\ndef none(): pass",
    }
    project(tmp_path, files)
    found = [os.path.relpath(path, tmp_path) for path, _ in runners(str(tmp_path / "package/core/loss.py"))]
    assert found[0] == "scripts/run.py" and set(found[1:]) == {"package/train.py", "package/__main__.py"}


def test_a_module_that_is_imported_by_a_name_put_together_is_asked_for(tmp_path, resident):
    main = "import argparse, importlib, torch\nparser = argparse.ArgumentParser()\n"
    main += "parser.add_argument('--model', default='narrow')\nargs = parser.parse_args()\n"
    main += "kind = importlib.import_module('models.' + args.model)\nprint(kind.Net(5)(torch.randn(4, 5)).shape)\n"
    files = {"models/narrow": LAYERS.format(inner=8), "models/wide": LAYERS.format(inner=9), "run": main}
    project(tmp_path, files)
    assert list(runners(str(tmp_path / "models/wide.py"))) == [
        (str(tmp_path / "models/../run.py"), ("--model", "wide"))
    ]
    (finding,) = check(tmp_path / "models/wide.py", resident=resident).findings
    assert finding.site.file.endswith("wide.py")


def test_the_root_of_a_project_is_known_by_what_lies_there(tmp_path):
    project(tmp_path, {"package/train": "def train(): pass", "main": "from package.train import train\ntrain()\n"})
    (tmp_path / "setup.cfg").rename(tmp_path / "README.md")
    ((found, _),) = runners(str(tmp_path / "package/train.py"))
    assert os.path.basename(found) == "main.py"


MODULES = """
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, dim, num_heads, dropout):
        super().__init__()
        assert dim % num_heads == 0
        self.heads, self.qkv, self.drop = num_heads, nn.Linear(dim, 3 * dim), nn.Dropout(dropout)

    def forward(self, x, mask):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-2, -1)).masked_fill(mask[:, None, None, :], -1e9)
        return self.drop(scores.softmax(-1)) @ v


class Block(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.inner = Attention(cfg["width"], cfg["heads"], cfg["drop"])

    def forward(self, x, mask):
        return self.inner(x, mask)


class Encoder(nn.Module):
    def __init__(self, place, config):
        super().__init__()
        self.embed = nn.Embedding(config.words, config.width).to(place)
        self.convs = nn.ModuleList(nn.Conv1d(config.width, n, k) for n, k in zip(config.counts, config.sides))

    def forward(self, tokens):
        x = self.embed(tokens).transpose(1, 2)
        return torch.cat([conv(x).amax(2) for conv in self.convs], 1)
"""


def test_modules_that_nothing_builds_are_built_with_sizes_that_fit(tmp_path, resident):
    project(tmp_path, {"modules": MODULES})
    found = check(tmp_path / "modules.py", resident=resident)
    assert found.outcome == "complete" and not found.findings
    told = [note.note for note in found.assumptions if note.kind == "module-made"]
    assert len(told) == 3 and "(4, 7)" in told[2]


def test_what_fails_with_made_up_sizes_is_named_and_no_finding(tmp_path, resident):
    wrong = "\n\nclass Wrong(nn.Module):\n    def __init__(self, a, b):\n        super().__init__()\n        self.one = nn.Linear(a, 2 * b)\n"
    wrong += "        self.two = nn.Linear(3 * b + 1, a)\n\n    def forward(self, x):\n        return self.two(self.one(x)).softmax(0)\n"
    project(tmp_path, {"modules": MODULES + wrong, "alone": "import torch\nfrom torch import nn" + wrong})
    found = check(tmp_path / "modules.py", resident=resident)
    assert found.outcome == "incomplete" and "Wrong" in found.reason and not found.findings
    assert any(note.kind == "module-made" for note in found.assumptions)
    found = check(tmp_path / "alone.py", resident=resident)
    assert found.outcome == "incomplete" and "only defines" in found.reason and not found.findings


def test_a_script_that_builds_a_module_comes_before_sizes_that_are_made_up(tmp_path, resident):
    project(tmp_path, {"layers": LAYERS.format(inner=8), "main": MAIN})
    found = check(tmp_path / "layers.py", resident=resident)
    assert built(found) == ["run-by"]


def test_what_a_package_computes_while_it_is_loaded_is_no_run_of_the_file(tmp_path, resident):
    package = "import torch\nTABLE = torch.arange(8.0).reshape(2, 4).softmax(1)\ndef rows():\n    return TABLE\n"
    tests = "import torch\nfrom own import rows\ndef test_rows():\n    assert rows().shape == torch.Size([2, 4])\n"
    project(tmp_path, {"own/__init__": package, "test_own": tests})
    found = check(tmp_path / "test_own.py", resident=resident)
    assert found.outcome == "incomplete", found.reason
    project(tmp_path, {"use": "from own import rows\nprint(rows().sum())\n"})
    assert check(tmp_path / "use.py", resident=resident).outcome == "complete"
