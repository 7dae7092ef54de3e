"""The commands: what they print where, and their exit codes. Runs are answered by a prepared trace; one test runs the real thing."""

import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from report.first_diagnosis import TRACE

from shapewright.cli import main
from shapewright.commands.check import main as check
from shapewright.commands.check import parsed
from shapewright.trace import Outcome, Trace

ROOT = Path(__file__).parents[1]


class Answering:
    """Stands for the resident process: every script gets the trace prepared for its name, or a clean one."""

    def __init__(self, **traces):
        self.traces, self.requests = traces, []

    def run(self, request):
        self.requests.append(request)
        return replace(
            self.traces.get(Path(request.script).stem, Trace("", Outcome("complete"))), script=request.script
        )


@pytest.fixture
def scripts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    for name in ("a", "b"):
        (tmp_path / f"{name}.py").write_text("print(1)\n")
    return tmp_path


def test_one_script_gives_one_json_object_and_several_an_array(scripts, capsys):
    assert check(["a.py", "--format", "json"], Answering()) == 0
    assert json.loads(capsys.readouterr().out)["script"] == "a.py"
    assert check(["a.py", "--format", "json", "b.py"], Answering()) == 0
    assert [one["script"] for one in json.loads(capsys.readouterr().out)] == ["a.py", "b.py"]
    assert check(["--format", "json", str(scripts)], Answering()) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2


def test_options_and_scripts_come_in_any_order():
    options, theirs = parsed(
        ["--training-only", "--jobs", "2", "a.py", "--remarks", "b.py", "--lang", "es", "--", "-x"]
    )
    assert (options.scripts, options.jobs, options.lang, theirs) == (("a.py", "b.py"), 2, "es", ("-x",))
    assert options.training_only and options.remarks


def test_arguments_after_the_dashes_are_the_script_s(scripts):
    resident = Answering()
    check(
        [
            "a.py",
            "--timeout",
            "7",
            "--memory",
            "2G",
            "--engine",
            "dry",
            "--show-output",
            "--",
            "--epochs",
            "3",
            "--lang",
            "xx",
        ],
        resident,
    )
    request = resident.requests[0]
    assert request.argv == ("--epochs", "3", "--lang", "xx")
    assert (request.timeout, request.memory, request.engine, request.show_output) == (7.0, 2 << 30, "dry", True)


def test_exit_codes_over_several_scripts(scripts, capsys):
    stopped = Trace("", Outcome("incomplete", "timeout-unplaced", {"seconds": "60"}))
    assert check(["a.py", "b.py"], Answering(b=stopped)) == 2
    assert check(["a.py", "gone.py"], Answering()) == 2
    assert "there is no file gone.py" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text,word",
    [
        (b"def f(:\n", "syntax"),
        (b"# \xff\xfe\n", "UTF-8"),
        (b"x = 1\0\n", "null"),
    ],
)
def test_what_cannot_be_read_is_one_sentence_and_no_run(scripts, capsys, text, word):
    (scripts / "bad.py").write_bytes(text)
    resident = Answering()
    assert check(["bad.py"], resident) == 2
    out = capsys.readouterr().out
    assert word in out and "Traceback" not in out and resident.requests == []


def test_an_empty_folder_is_said(scripts, capsys):
    (scripts / "empty").mkdir()
    assert check(["empty"], Answering()) == 2
    assert "empty" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "a.py", "--format", "pdf"],
        ["check", "a.py", "--memory", "lots"],
        ["check", "a.py", "--lang", "fr"],
        ["check", "a.py", "--timeout", "-1"],
        ["check", "a.py", "--nonsense"],
        ["check"],
        ["check", "--engine", "warp", "a.py"],
        ["nonsense"],
        [],
        ["rule", "SW999"],
        ["explain", "--lang", "xx", "hello"],
        ["einsum", "ij->ji", "2,a"],
    ],
)
def test_wrong_usage_is_one_sentence_and_exit_code_2(scripts, capsys, monkeypatch, arguments):
    monkeypatch.delenv("SHAPEWRIGHT_STRICT", raising=False)
    monkeypatch.setattr("shapewright.run.process.supervisor.Resident", Closed)
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    assert code == 2 and (err or out) and "Traceback" not in out + err


class Closed(Answering):
    """A resident that is entered and left like the real one."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None


def test_a_malformed_pyproject_is_said(scripts, capsys, monkeypatch):
    monkeypatch.delenv("SHAPEWRIGHT_STRICT", raising=False)
    monkeypatch.setattr("shapewright.run.process.supervisor.Resident", Closed)
    (scripts / "pyproject.toml").write_text("[tool.shapewright]\nspeed = 3\n")
    assert main(["check", "a.py"]) == 2
    assert "speed" in capsys.readouterr().err


def test_a_failure_of_our_own_is_one_sentence(scripts, capsys, monkeypatch):
    class Broken(Closed):
        def run(self, request):
            raise RuntimeError("the pipe\nbroke")

    monkeypatch.delenv("SHAPEWRIGHT_STRICT", raising=False)
    monkeypatch.setattr("shapewright.run.process.supervisor.Resident", Broken)
    assert main(["check", "a.py"]) == 2
    assert capsys.readouterr().err == "shapewright check: RuntimeError: the pipe broke\n"


def test_the_walk_shows_each_line_with_its_shapes(scripts, capsys):
    (scripts / "rl.py").write_text(TRACE.sources["rl.py"])
    code = check(["rl.py"], Answering(rl=TRACE), reading=True)
    out = capsys.readouterr().out
    assert code in (1, 2)
    assert "44 │     labels = torch.ones(preferred_reward.size(0)).to(device)" in out
    assert next(line for line in out.splitlines() if line.startswith("42")).endswith("(batch=1, 1)")
    assert "the script stops here" in out


def test_explain_reads_arguments_files_and_standard_input(scripts, capsys, monkeypatch):
    text = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x1024 and 4096x10)"
    assert main(["explain", text, "--lang", "es"]) == 0
    assert "Linear(1024, 10)" in capsys.readouterr().out
    (scripts / "log.txt").write_text(text)
    assert main(["explain", "log.txt"]) == 0
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; from shapewright.cli import main; sys.exit(main(['explain', '--format', 'json']))",
        ],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and json.loads(done.stdout)["slug"] == "matrix-product"
    assert main(["explain", "KeyError: 'x'"]) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["explain", "hello"],
        ["rules"],
        ["einsum", "ij,jk->ik", "2,3", "3,4"],
        ["--version"],
        ["--help"],
        ["check", "nowhere.py", "--no-fix"],
    ],
)
def test_no_command_imports_torch_here(arguments):
    code = (
        "import sys\nfrom shapewright.cli import main\ntry:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "assert 'torch' not in sys.modules and 'numpy' not in sys.modules, 'torch was imported'"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_package_is_light_and_its_facade_lazy():
    code = "import sys, shapewright; assert not {'torch', 'rich', 'tyro', 'shapewright.checking'} & set(sys.modules); shapewright.explain; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_real_check_from_start_to_end(tmp_path):
    script = tmp_path / "train.py"
    script.write_text("import torch\nfrom torch import nn\nprint('noise')\nx = nn.Linear(4, 2)(torch.zeros(3, 4))\n")
    done = subprocess.run(
        [sys.executable, "-m", "shapewright", "check", str(script), "--format", "json", "--show-output"],
        capture_output=True,
        text=True,
        check=False,
    )
    made = json.loads(done.stdout)
    assert (done.returncode, made["outcome"], made["findings"]) == (0, "complete", [])
    assert made["script"] == str(script) and "noise" in done.stderr and "noise" not in done.stdout


def test_an_unknown_rule_is_not_selected_silently(scripts):
    for option in ("--select", "--ignore"):
        with pytest.raises(ValueError, match="'SW2,SW9999'|'SW9999'"):
            check(["a.py", option, "SW2,SW9999"], Answering())
    assert check(["a.py", "--select", "SW2", "--ignore", "linear-fed-wrong-width"], Answering()) == 0


def test_a_working_folder_that_is_gone_is_left(tmp_path, capsys, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    monkeypatch.setenv("PWD", str(gone))
    gone.rmdir()
    assert main(["rule", "SW202"]) == 0 and "SW202" in capsys.readouterr().out
    assert os.getcwd() == str(tmp_path)


def test_an_output_without_unicode_gets_plain_marks(scripts, monkeypatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main(["einsum", "ij,jk->ik", "2,3", "3,4", "--lang", "en"]) == 0
    print("3 │ ──── …日", flush=True)
    assert b"3 | ---- ...?" in raw.getvalue()


def test_a_closed_output_is_no_failure(scripts, monkeypatch):
    monkeypatch.setattr(sys, "stdout", None)
    assert main(["recipes"]) == 0


def test_what_was_not_run_has_no_engine(scripts, capsys):
    assert check(["gone.py"], Answering()) == 2
    assert capsys.readouterr().out == "gone.py · not checked: there is no file gone.py\n"
