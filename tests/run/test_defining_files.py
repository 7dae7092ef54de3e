"""Files that only define classes and functions are checked by the scripts that import them."""

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


def project(folder, **files):
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".py").write_text(text)
    (folder / "setup.cfg").write_text("")
    return folder


def test_the_script_that_imports_a_module_is_run_for_it(tmp_path, resident):
    project(tmp_path, layers=LAYERS.format(inner=8), main=MAIN)
    found = check(tmp_path / "layers.py", resident=resident)
    assert found.outcome == "complete" and not found.findings
    assert any("main.py" in note.note for note in found.assumptions if note.kind == "run-by")


def test_its_fault_is_found_in_the_module(tmp_path, resident):
    project(tmp_path, layers=LAYERS.format(inner=9), main=MAIN)
    (finding,) = check(tmp_path / "layers.py", resident=resident).findings
    assert finding.code == "SW102" and finding.site.file.endswith("layers.py")


def test_a_script_that_lacks_something_is_no_answer(tmp_path, resident):
    project(tmp_path, layers=LAYERS.format(inner=8), main=MAIN + "open('a.unknown').read()\n")
    found = check(tmp_path / "layers.py", resident=resident)
    assert found.outcome == "incomplete" and "only defines" in found.reason


def test_runners_are_found_by_way_of_others_nearest_first(tmp_path):
    project(
        tmp_path,
        package__core__loss="def loss(a, b): return a - b",
        package__core__steps="from .loss import loss\ndef step(): return loss(1, 2)",
        package__train="from package.core.steps import step\nprint(step())",
        scripts__run="from package.core import loss\nprint(loss)",
        scripts__other="import torch.nn.loss\nfrom numpy import loss\nprint(loss)",
        unread="from package.core.loss import loss\ndef none(): pass",
    )
    found = list(runners(str(tmp_path / "package/core/loss.py")))
    names = [path.replace("\\", "/").split("core/")[-1] for path in found]
    assert names == ["../../scripts/run.py", "../train.py"]
