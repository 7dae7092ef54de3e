"""Files that only define classes and functions are checked by the scripts that import them."""

import os

from shapewright.checking import check
from shapewright.run.script.runners import runners

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
    assert found.outcome == "incomplete" and "only defines" in found.reason


def test_what_the_script_does_elsewhere_is_not_told(tmp_path, resident):
    wrong = "net = Net(5)\nopt = torch.optim.SGD(net.parameters(), 0.1)\nfor step in range(4):\n    x = torch.randn(8, 5)\n    "
    wrong += "net(x).pow(2).mean().backward()\n    opt.step()\n"
    project(tmp_path, {"layers": LAYERS.format(inner=8), "main": MAIN + wrong})
    assert [finding.code for finding in check(tmp_path / "main.py", resident=resident).findings] == ["SW301"]
    found = check(tmp_path / "layers.py", resident=resident)
    assert found.outcome == "complete" and not found.findings
    project(tmp_path, {"main": MAIN + "torch.nn.Linear(3, 2)(torch.randn(4, 5))\n"})
    found = check(tmp_path / "layers.py", resident=resident)
    assert found.outcome == "incomplete" and "only defines" in found.reason


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
    found = [os.path.relpath(path, tmp_path) for path in runners(str(tmp_path / "package/core/loss.py"))]
    assert found[0] == "scripts/run.py" and set(found[1:]) == {"package/train.py", "package/__main__.py"}
