"""Reading what the user names, and which of the files that it imports are the user's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from shapewright.report import outcomes
from shapewright.run.process.request import RunRequest
from shapewright.run.script.reading import Script, imported, read, targets
from shapewright.run.script.sources import UserSources, project_of
from shapewright.trace import Outcome

COOKIES = {
    "utf-8": "x = 'ü'\n".encode(),
    "bom": b"\xef\xbb\xbfx = '\xc3\xbc'\n",
    "latin": "# -*- coding: latin-1 -*-\nx = 'ü'\n".encode("latin-1"),
    "second line": "#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\nx = 'ü'\n".encode("cp1252"),
    "japanese": "# coding: euc-jp\nx = 'ü'\n".replace("ü", "日本").encode("euc-jp"),
}


@pytest.mark.parametrize("name", COOKIES)
def test_the_stated_encoding_is_honoured(tmp_path, name):
    file = tmp_path / "a.py"
    file.write_bytes(COOKIES[name])
    script = read(str(file))
    assert isinstance(script, Script) and ("ü" in script.text or "日本" in script.text)


REFUSED = {
    "not-utf8": (b"# one\nx = '\xff\xfe'\n", {"byte": "0xff", "line": "2", "encoding": "UTF-8"}),
    "null-bytes": (b"x = 1\ny = 2\0\n", {"line": "2"}),
    "unknown-encoding": (b"# coding: klingon\nx = 1\n", {"encoding": "klingon"}),
    "syntax-error": (b"x = 1\nif x\n    y\n", {"line": "2", "message": "expected ':'"}),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_what_is_no_python_is_said_to_be_so(tmp_path, reason):
    data, fields = REFUSED[reason]
    file = tmp_path / "a.py"
    file.write_bytes(data)
    outcome = read(str(file))
    assert isinstance(outcome, Outcome) and (outcome.state, outcome.reason) == ("incomplete", reason)
    assert outcome.fields == {"file": str(file), **fields}
    for text in outcomes.TEXTS[reason].values():
        assert str(file) in text.format(**outcome.fields)


@pytest.mark.parametrize("data", [b"# coding: ascii\nx = '\xc3'\n", b"\xff\xfex\x00=\x001\x00", b"x = '\x80'"])
def test_bytes_that_do_not_fit_the_encoding(tmp_path, data):
    (tmp_path / "a.py").write_bytes(data)
    outcome = read(str(tmp_path / "a.py"))
    assert isinstance(outcome, Outcome) and outcome.reason in ("not-utf8", "null-bytes")


def test_missing_and_deep_sources(tmp_path):
    assert read(str(tmp_path / "no.py")).reason == "missing-file"
    (tmp_path / "deep.py").write_text("x = " + "(" * 5000 + ")" * 5000)
    assert read(str(tmp_path / "deep.py")).reason == "syntax-error"
    (tmp_path / "empty.py").write_text("")
    assert read(str(tmp_path / "empty.py")) == Script(str(tmp_path / "empty.py"), "")


def notebook(*cells: tuple[str, str]) -> str:
    return json.dumps(
        {
            "nbformat": 4,
            "cells": [{"cell_type": kind, "source": text.splitlines(keepends=True)} for kind, text in cells],
        }
    )


PACKAGE = {
    "pkg/__init__.py": "",
    "pkg/config.py": "WIDTH = 8\n",
    "pkg/models/__init__.py": "",
    "pkg/models/net.py": "import torch\nfrom ..config import WIDTH\ndef net(x):\n    return torch.nn.Linear(WIDTH, 2)(x)\n",
}


@pytest.mark.parametrize(
    "script, text",
    [
        (
            "pkg/train.py",
            "import torch\nfrom .models.net import net\nif __name__ == '__main__':\n    net(torch.ones(3, 7))\n",
        ),
        ("pkg/tools/train.py", "import torch\nfrom ..models.net import net\nnet(torch.ones(3, 7))\n"),
        (
            "scripts/train.py",
            "import os, sys, torch\nsys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))\n"
            "from pkg.models.net import net\nnet(torch.ones(3, 7))\n",
        ),
    ],
)
def test_a_script_in_a_package_runs_as_its_module_and_a_fault_is_placed_in_the_project_s_file(
    resident, tmp_path, script, text
):
    for name, content in {**PACKAGE, script: text}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content)
    trace = resident.run(RunRequest(script, cwd=str(tmp_path)))
    assert (trace.outcome.state, trace.outcome.site.file, trace.outcome.site.line) == (
        "stopped",
        "pkg/models/net.py",
        4,
    ), trace.outcome
    assert [item.fields["module"] for item in trace.assumptions if item.kind == "run-as-module"] == [
        script[:-3].replace("/", ".")
    ] * (script[0] == "p")


def test_a_module_beside_the_script_comes_before_a_library_that_is_loaded(resident, tmp_path):
    files = {
        "library/train.py": "import torch\nimport einops\neinops.rearrange(torch.ones(3), 'a -> a 1')\n",
        "own/train.py": "import torch\nimport einops\nprint(einops.batches(torch.ones(3)))\n",
        "own/einops.py": "def batches(x):\n    return x.split(1)\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for folder in ("library", "own"):
        trace = resident.run(RunRequest("train.py", cwd=str(tmp_path / folder)))
        assert trace.outcome.state == "complete", trace.outcome


def test_a_folder_that_may_not_be_read_is_told_as_such(tmp_path, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    found = targets(str(tmp_path))
    assert isinstance(found, Outcome) and found.reason == "unreadable-file" and "denied" in found.fields["error"]


def test_the_project_is_the_nearest_marked_folder(tmp_path):
    inner = tmp_path / "repo" / "scripts"
    inner.mkdir(parents=True)
    assert project_of(str(inner)) == str(inner)
    (tmp_path / "repo" / "requirements.txt").touch()
    assert project_of(str(inner)) == str(tmp_path / "repo")
    assert not UserSources("/usr/a.py").is_user(json.__file__) and not UserSources(
        str(Path(json.__file__).parents[3] / "a.py")
    ).is_user(json.__file__)
    assert not UserSources(str(inner / "a.py")).is_user(json.__file__) and not UserSources("/work/a.py").is_user(
        UserSources.__init__.__code__.co_filename
    )


def test_a_notebook_is_its_code_cells(tmp_path):
    file = tmp_path / "n.ipynb"
    file.write_text(
        notebook(
            ("markdown", "# Title"),
            ("code", "%matplotlib inline\n!pip install torch \\\n  numpy\nimport torch"),
            ("code", "%%bash\nrm -rf /"),
            ("code", "%%time\nfiles = !ls\nif True:\n    %timeit 1\n    y = 7\n    z = (y\n  % 2)"),
            ("code", "w = 1\nfrom __future__ import print_function, division\ny = 7 \\\n% 3\ny?"),
        )
    )
    script = read(str(file))
    assert isinstance(script, Script) and script.kind == "notebook"
    lines = script.text.splitlines()
    assert lines[3] == "import torch" and script.place(4) == "2:4"
    assert script.place(lines.index("    y = 7") + 1) == "4:5"
    space: dict = {}
    exec(compile(script.text.replace("import torch", ""), "n", "exec"), space)
    assert space["y"] == 1 and space["files"] == [] and space["z"] == 1


def test_a_notebook_shows_things_by_the_names_that_ipython_has(tmp_path, resident):
    cells = ("code", "import torch\nget_ipython().run_line_magic('time', '')"), ("code", "display(torch.ones(2) + 1)")
    (tmp_path / "n.ipynb").write_text(notebook(*cells))
    assert resident.run(RunRequest(str(tmp_path / "n.ipynb"))).outcome.state == "complete"


@pytest.mark.parametrize("text", ["not json", "[]", '{"cells": 3}'])
def test_no_notebook(tmp_path, text):
    (tmp_path / "n.ipynb").write_text(text)
    assert read(str(tmp_path / "n.ipynb")).reason == "not-a-notebook"


def test_a_folder_is_its_scripts(tmp_path):
    for name, text in {
        "train.py": "import model\nmodel.go()",
        "model.py": "def go(): print(1)",
        "sub/eval.py": "for i in range(2): print(i)",
        "consts.py": "A = 1",
        "__init__.py": "",
        "test_a.py": "print(1)",
        ".venv/x.py": "print(1)",
        "broken.py": "if x\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert targets(str(tmp_path)) == [str(tmp_path / name) for name in ("broken.py", "train.py", "sub/eval.py")]
    (tmp_path / "none").mkdir()
    assert targets(str(tmp_path / "none")).reason == "empty-folder"
    (tmp_path / "data.csv").write_text("1,2")
    assert targets(str(tmp_path / "data.csv")).reason == "not-a-script"


def test_the_imports_of_a_source():
    assert imported("import torch.nn as nn, os\ndef f():\n    from transformers.models import x\nfrom . import y") == {
        "torch",
        "os",
        "transformers",
    }
    assert imported("if") == frozenset()


def test_the_parents_side_never_imports_torch():
    source = "import sys, shapewright.run.script.reading, shapewright.run.process.supervisor; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", source]).returncode == 0


def test_what_cannot_be_recorded_is_said_and_is_no_failure_of_the_script(tmp_path, monkeypatch):
    from shapewright.run.process.child import execute
    from shapewright.run.record import recorder, returns
    from shapewright.run.record.assume import Assumptions

    def broken(*_):
        raise ValueError("of ours")

    monkeypatch.setattr(returns.Returns, "note", broken)
    (tmp_path / "train.py").write_text("import torch\nprint(torch.ones(3) + 1)\n")
    request = RunRequest(script=str(tmp_path / "train.py"), probe=False)
    assert execute(request, tmp_path, Assumptions()).outcome.fields["message"] == "of ours"  # in tests
    monkeypatch.setattr(recorder, "STRICT", False)
    trace = execute(request, tmp_path, Assumptions())
    assert trace.outcome.state == "complete" and "recording-failed" in {item.kind for item in trace.assumptions}


@pytest.mark.parametrize("answer", ["dict.__getitem__", "lambda self, name: self[name]", "lambda self, name: 1 / 0"])
def test_what_the_user_s_own_classes_answer_is_not_asked(answer, resident, tmp_path):
    (tmp_path / "train.py").write_text(
        f"import torch\n\nclass Settings(dict):\n    __getattr__ = {answer}\n\nkept = Settings(width=3)\n"
        "print(torch.ones(kept['width']) + 1)\n"
    )
    trace = resident.run(RunRequest(script=str(tmp_path / "train.py")))
    assert trace.outcome.state == "complete", trace.outcome
