"""The server process: what it loads once, what it may not touch, and that forks from it are sound."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from shapewright.run.process.framing import packed
from shapewright.run.process.request import Guess, RunRequest
from shapewright.run.process.supervisor import Resident, unpacked
from shapewright.trace import Outcome, Trace


def test_a_scripts_libraries_are_loaded_before_the_fork(run, resident):
    pytest.importorskip("sklearn")
    trace = run(
        "import sys\nprint('sklearn.linear_model' in sys.modules)\nfrom sklearn.linear_model import LinearRegression\n"
        "import numpy as np, torch\nLinearRegression().fit(np.eye(50), np.ones(50))\ntorch.randn(400, 400) @ torch.randn(400, 400)"
    )
    assert (trace.output, trace.outcome.state) == ("True\n", "complete")
    threads = [
        Path(f"/proc/{resident._process.pid}/task/{task}/comm").read_text()
        for task in os.listdir(f"/proc/{resident._process.pid}/task")
    ]
    assert len(threads) <= 1 + (os.cpu_count() or 1)  # OpenBLAS starts its own and minds forks; nothing else may


def test_runs_do_not_see_each_other(run):
    assert (
        run(
            "import torch\ntorch.shapewright_was_here = 1\nopen('a.txt', 'w').write('x')\nprint(torch.initial_seed(), hash('a'))"
        ).outcome.state
        == "complete"
    )
    first = run(
        "import os, random, torch\nassert not hasattr(torch, 'shapewright_was_here') and not os.path.exists('a.txt')\nprint(torch.rand(1).item(), random.random(), hash('a'))"
    )
    second = run(
        "import os, random, torch\nassert not hasattr(torch, 'shapewright_was_here') and not os.path.exists('a.txt')\nprint(torch.rand(1).item(), random.random(), hash('a'))"
    )
    assert first.output == second.output != ""


def test_the_server_may_write_nowhere_but_its_folder(tmp_path):
    module = tmp_path / "einops"
    module.mkdir()
    (module / "__init__.py").write_text(f"open({str(tmp_path / 'written')!r}, 'w')")
    os.environ["PYTHONPATH"] = f"{os.environ.get('PYTHONPATH', '')}:{tmp_path}"
    try:
        with Resident() as resident:
            (tmp_path / "script.py").write_text("import einops")
            resident.run(RunRequest(str(tmp_path / "script.py"), cwd=str(tmp_path)))
    finally:
        os.environ["PYTHONPATH"] = os.environ["PYTHONPATH"].rpartition(":")[0]
    assert not (tmp_path / "written").exists()


def test_foreign_objects_in_a_trace_become_plain():
    torch = pytest.importorskip("torch")
    trace = Trace(
        "a.py",
        Outcome("complete"),
        data={
            "shape": torch.Size([2, 3]),
            "dtype": torch.float32,
            "kind": torch.nn.Linear,
            "f": len,
            "e": ValueError("x"),
            "r": range(3),
        },
    )
    back = unpacked(packed(trace)[8:], "a.py")
    assert back.data == {
        "shape": (2, 3),
        "dtype": "torch.float32",
        "kind": "Linear",
        "f": "len",
        "e": "ValueError('x')",
        "r": range(3),
    }
    assert type(back.data["shape"]) is tuple


def test_bytes_that_would_run_code_are_no_trace():
    class Evil:
        def __reduce__(self):
            return os.system, ("echo evil",)

    outcome = unpacked(pickle.dumps(Evil()), "a.py").outcome
    assert (outcome.state, outcome.reason) == ("incomplete", "crashed") and "system" in outcome.fields["detail"]


def test_an_interpreter_without_torch_is_named(tmp_path):
    (tmp_path / "torch.py").write_text("raise ModuleNotFoundError(\"No module named 'torch'\")")
    (tmp_path / "script.py").write_text("x = 1")
    before = os.environ.get("PYTHONPATH", "")
    os.environ["PYTHONPATH"] = f"{tmp_path}:{before}"
    try:
        with Resident() as resident:
            outcome = resident.run(RunRequest(str(tmp_path / "script.py"), cwd=str(tmp_path))).outcome
    finally:
        os.environ["PYTHONPATH"] = before
    assert (outcome.state, outcome.reason) == ("incomplete", "no-torch")
    assert not os.path.exists(resident.folder)


def test_an_interpreter_that_is_not_there_leaves_no_folder():
    before = set(Path(tempfile.gettempdir()).glob(f"shapewright-{os.getpid()}-*"))
    with pytest.raises(OSError):
        Resident(python="/no/such/python")
    assert set(Path(tempfile.gettempdir()).glob(f"shapewright-{os.getpid()}-*")) == before


@pytest.mark.parametrize("wished, expected", [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_threads_sleep_while_they_wait_unless_another_policy_is_wished(wished, expected, tmp_path, monkeypatch):
    """Threads that spin for each other cost a busy machine most of its time."""
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    if wished:
        monkeypatch.setenv("OMP_WAIT_POLICY", wished)
    (tmp_path / "script.py").write_text("import os\nprint(os.environ.get('OMP_WAIT_POLICY'))")
    with Resident() as resident:
        assert resident.run(RunRequest(str(tmp_path / "script.py"), cwd=str(tmp_path))).output == f"{expected}\n"


GATHERS = """
import mmap
from shapewright.run.process.allocation import LARGE, gather

held = mmap.mmap(-1, 4 * LARGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for page in range(0, len(held), mmap.PAGESIZE):
    held[page] = page // mmap.PAGESIZE % 251
made, text = gather(), open("/proc/self/smaps_rollup").read()
large = int(text.split("AnonHugePages:")[1].split()[0])
assert all(held[page] == page // mmap.PAGESIZE % 251 for page in range(0, len(held), mmap.PAGESIZE))
print(made, large)
"""


def test_memory_is_gathered_into_large_pages_and_holds_what_it_held():
    ran = subprocess.run([sys.executable, "-c", GATHERS], capture_output=True, text=True, check=True)
    made, large = map(int, ran.stdout.split())
    assert large >= made * 2048  # kB; a kernel that makes none says so


def test_what_was_guessed_of_a_script_is_forgotten_before_its_changed_text_runs(run, resident, monkeypatch):
    sent = []
    send = resident._send
    monkeypatch.setattr(resident, "_send", lambda message: (sent.append(message), send(message)))
    text = (
        "import numpy, torch\nx = torch.tensor(numpy.loadtxt('of.csv', delimiter=',', dtype='float32'))\n"
        "print(torch.nn.Linear({}, 1)(x).shape)\n"
    )
    run(text.format(9))
    assert [message[2].guess.width for message in sent if message[0] == "run"][-1] == 9
    sent.clear()
    run(text.format(23))
    assert next(message[2].guess for message in sent if message[0] == "run") == Guess()
