"""`shapewright fix` on files as people have them."""

import json
import os
import stat

import pytest

from shapewright.commands.fix import main

BROKEN = """import torch
from torch import nn

net = nn.Linear(4, 1)  # scores
x, y = torch.randn(6, 4), torch.rand(6).round()
loss = nn.functional.binary_cross_entropy_with_logits(net(x), y)   # odd   spacing
loss.backward()
"""
CURE = "net(x).squeeze(-1)"


@pytest.fixture
def script(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "train.py"
    path.write_text(BROKEN)
    return path


def test_prints_a_patch_and_writes_nothing(script, resident, capsys):
    assert main(["train.py"], resident) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("--- a/train.py\n+++ b/train.py\n") and f"({CURE}, y)" in printed
    assert script.read_text() == BROKEN


def test_write_changes_only_the_edit(script, resident):
    os.chmod(script, 0o640)
    assert main(["train.py", "--write"], resident) == 0
    assert script.read_text() == BROKEN.replace("net(x)", CURE)
    assert stat.S_IMODE(script.stat().st_mode) == 0o640
    assert [path.name for path in script.parent.iterdir()] == ["train.py"]


def test_nothing_to_repair_is_success(script, resident):
    script.write_text("import torch\nprint(torch.ones(2) + 1)\n")
    assert main(["train.py"], resident) == 0


def test_crlf_and_tabs_survive(script, resident):
    raw = BROKEN.replace("# odd   spacing", "#\todd\ttabs").replace("\n", "\r\n").encode()
    script.write_bytes(raw)
    assert main(["train.py", "--write"], resident) == 0
    assert script.read_bytes() == raw.replace(b"net(x)", CURE.encode())


def test_read_only_file_is_refused(script, resident, capsys):
    os.chmod(script, 0o444)
    assert main(["train.py", "--write", "--lang", "en"], resident) == 2
    assert script.read_text() == BROKEN and "read-only" in capsys.readouterr().err


def test_link_stays_a_link(script, resident, tmp_path):
    link = tmp_path / "link.py"
    link.symlink_to(script)
    assert main(["link.py", "--write"], resident) == 0
    assert link.is_symlink() and CURE in script.read_text()


def test_file_changed_during_the_check_is_refused(script, resident, monkeypatch, capsys):
    from shapewright.commands import fix as command

    genuine = command.repair_rounds

    def meanwhile(*args, **kwargs):
        answer = genuine(*args, **kwargs)
        script.write_text(BROKEN + "# someone else's line\n")
        return answer

    monkeypatch.setattr(command, "repair_rounds", meanwhile)
    assert main(["train.py", "--write", "--lang", "en"], resident) == 2
    assert script.read_text() == BROKEN + "# someone else's line\n" and "changed" in capsys.readouterr().err


@pytest.mark.parametrize("answer, written", [("y\n", True), ("n\n", False)])
def test_interactive_asks(script, resident, monkeypatch, answer, written):
    import io

    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    assert main(["train.py", "--interactive", "--lang", "en"], resident) == (0 if written else 1)
    assert (CURE in script.read_text()) is written


def test_one_finding_at_a_time_or_all(script, resident):
    twice = BROKEN + "opt = torch.optim.SGD(net.parameters(), lr=0.1)\nz = torch.cat([net(x), y])\n"
    script.write_text(twice)
    assert main(["train.py"], resident) in (0, 1)
    assert main(["train.py", "--all", "--write"], resident) == 0
    assert main(["train.py"], resident) == 0


def test_fault_in_another_module_is_repaired_there(script, resident):
    (script.parent / "parts.py").write_text(
        "from torch import nn\n\nbody = nn.Sequential(nn.Linear(4, 8), nn.ReLU())\nhead = nn.Linear(9, 2)\n"
    )
    main_text = "import torch\nfrom parts import body, head\n\nhead(body(torch.randn(6, 4))).sum().backward()\n"
    script.write_text(main_text)
    assert main(["train.py", "--write"], resident) == 1  # 9 outputs of the body would fit as well
    assert main(["train.py", "--write", "--unsafe"], resident) == 0
    assert "nn.Linear(8, 2)" in (script.parent / "parts.py").read_text() and script.read_text() == main_text


def test_library_outside_the_project_is_never_edited(script, resident, tmp_path_factory, monkeypatch):
    library = tmp_path_factory.mktemp("lib") / "site-packages"
    library.mkdir()
    text = "from torch import nn\n\n\ndef run(x):\n    return nn.Linear(9, 2)(x)\n"
    (library / "somelib.py").write_text(text)
    script.write_text(
        f"import sys\nsys.path.insert(0, {str(library)!r})\nimport torch\nimport somelib\nsomelib.run(torch.randn(6, 4))\n"
    )
    main(["train.py", "--write"], resident)
    assert (library / "somelib.py").read_text() == text


def test_notebook_is_not_edited(script, resident):
    notebook = script.parent / "book.ipynb"
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": BROKEN}]
    notebook.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    before = notebook.read_bytes()
    assert main(["book.ipynb", "--write"], resident) == 1
    assert notebook.read_bytes() == before


def test_generated_code_is_left_alone(script, resident):
    text = "import torch\nmade = 'torch.ones(3, 4) @ torch.ones(3, 4)'\nexec(compile(made, '<generated>', 'exec'))\n"
    script.write_text(text)
    assert main(["train.py", "--write"], resident) in (0, 1, 2)
    assert script.read_text().count("\n") >= 3 and "exec(compile(made" in script.read_text()


def test_missing_script_and_syntax_error(script, resident):
    assert main(["absent.py"], resident) == 2
    script.write_text("def broken(:\n")
    assert main(["train.py"], resident) == 2
