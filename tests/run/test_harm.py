"""What a script may try against the machine, itself or us: one clear end each, nothing changed, nobody left behind."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shapewright.run.engines import settle
from shapewright.run.process.request import RunRequest
from shapewright.run.process.supervisor import Resident


def kinds(trace) -> list[str]:
    return [item.kind for item in trace.assumptions]


def ended(trace) -> tuple:
    return trace.outcome.state, trace.outcome.reason, trace.outcome.site.line if trace.outcome.site else None


PATIENCE = 120.0  # seconds, on a machine that others use; what is waited for would else last longer
ENDS = {
    "endless": ("x = 0\nwhile True:\n    x += 1", ("timeout",)),
    "sleeping": ("import time\ntime.sleep(10_000_000)", ("timeout",)),
    "deaf": (
        "import time\nwhile True:\n    try:\n        time.sleep(0.1)\n    except BaseException:\n        pass",
        ("timeout",),
    ),
    "holds the lock": ("import re\nre.match('(a+)+b', 'a' * 64)", ("timeout",)),
    "waits for a thread": ("import threading\nthreading.Event().wait()", ("timeout",)),
}


@pytest.mark.parametrize("name", ENDS)
def test_the_time_limit_names_the_line(run, name):
    source, (reason,) = ENDS[name]
    began = time.monotonic()
    trace = run(source, timeout=1.0, engine="live")
    assert trace.outcome.state == "incomplete" and trace.outcome.reason == reason
    assert trace.outcome.fields["seconds"] == "1"
    assert trace.outcome.site.file.endswith("script.py") and trace.outcome.site.line in (2, 3, 4)
    assert time.monotonic() - began < 60  # none of them ends by itself


def test_what_was_seen_before_the_time_limit_is_kept(run):
    trace = run("import torch\nx = torch.ones(2, 3)\ny = x @ x.T\nwhile True:\n    pass", timeout=1.0, engine="live")
    assert ended(trace) in (("incomplete", "timeout", 4), ("incomplete", "timeout", 5))
    assert any(event.op == "matmul" for event in trace.events)


def test_auto_says_the_limit_that_was_asked_for(resident, tmp_path, monkeypatch):
    monkeypatch.setattr("shapewright.run.engines.auto.LEAST_SECONDS", 1.0)
    (tmp_path / "script.py").write_text("while True:\n    pass")
    trace = settle(RunRequest(str(tmp_path / "script.py"), timeout=0.5, cwd=str(tmp_path)), resident.run)
    assert (trace.outcome.reason, trace.outcome.fields["seconds"]) == ("timeout", "0.5")


MEMORY = {
    "torch": ("import torch\nx = torch.zeros(25_000_000_000)", 2),
    "numpy": ("import numpy as np\nx = np.ones(12_500_000_000)", 2),
    "python": ("x = []\nwhile True:\n    x.append(bytearray(50_000_000))", 3),
    "repeat": ("x = [0] * 20_000_000_000", 1),
}


@pytest.mark.parametrize("name", MEMORY)
def test_the_memory_limit_names_the_line(run, name):
    source, line = MEMORY[name]
    trace = run(source, memory=1 << 30)
    assert ended(trace) == ("incomplete", "memory", line), (trace.outcome, trace.failure)
    assert trace.outcome.fields["limit"] == "1.0 GiB"


SELF = {
    "import os\nos._exit(3)": ("exited", 2),
    "import os\nos.abort()": ("aborted", 2),
    "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)": ("killed", 2),
    "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)": ("killed", 2),
    "import os\nos.killpg(0, 9)": ("killed", 2),
    "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)": ("killed", 2),
    "import ctypes\nctypes.string_at(0)": ("killed", 2),
    "import posix\nposix._exit(5)": ("exited-unplaced", None),
    "import sys\nsys.exit(4)": ("exit", 2),
    "import sys\nsys.exit('no data')": ("exit-message", 2),
    "import sys\ntry:\n    import os\n    os._exit(1)\nexcept BaseException:\n    pass": ("exited", 4),
}


@pytest.mark.parametrize("source", SELF)
def test_a_script_that_ends_itself(run, source):
    reason, line = SELF[source]
    assert ended(run(source)) == ("incomplete", reason, line)


SAYS = {
    "raise SystemExit('please pass --data\\nor else')": ("exit-message", 1, "please pass --data"),
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('n')\np.parse_args(['1', '--no'])": (
        "arguments",
        4,
        "unrecognized arguments: --no",
    ),
    "raise KeyboardInterrupt": ("exception-mute", 1, ""),
    "class Own(BaseException): pass\nraise Own('mine')": ("exception", 2, "mine"),
    "class E(Exception):\n    def __str__(self): raise ValueError\nraise E()": (
        "exception",
        3,
        "its text cannot be had (ValueError)",
    ),
    "import unittest\nclass T(unittest.TestCase):\n    def test(self): self.fail()\nunittest.main()": ("exit", 4, "1"),
    "raise ValueError('x' * 10_000_000)": ("exception", 1, "x" * 300 + "…"),
}


@pytest.mark.parametrize("source", SAYS)
def test_what_a_script_says_at_its_end_is_told(run, source):
    trace = run(source)
    said = trace.outcome.fields.get("message", trace.outcome.fields.get("code"))
    assert (*ended(trace)[1:], said[: len(SAYS[source][2]) or None]) == SAYS[source]


def test_a_message_of_torchscript_is_the_one_inside(run):
    trace = run("import torch\nm = torch.jit.script(torch.nn.Linear(3, 2))\nm(torch.ones(1, 4))")
    assert (trace.outcome.state, trace.failure.message) == (
        "stopped",
        "mat1 and mat2 shapes cannot be multiplied (1x4 and 3x2)",
    )


def test_a_script_that_takes_our_tools_away_gets_a_sentence(run):
    for source in (
        "import builtins\nbuiltins.len = builtins.isinstance = None\nlen(3)",
        "import sys\nfor n in list(sys.modules):\n    if 'shapewright' in n: del sys.modules[n]",
    ):
        trace = run(source)
        assert ended(trace)[:2] == ("incomplete", "crashed") and trace.outcome.fields["detail"]
    assert run("import time\ntime.monotonic = time.time = lambda: 0").seconds >= 0


def test_breakpoints_are_passed_over(run):
    trace = run("import pdb\npdb.set_trace()\nbreakpoint()\nx = 1")
    assert (trace.outcome.state, kinds(trace)) == ("complete", ["debugger-skipped"] * 2)


def test_deep_expressions_are_run(run):
    assert run("x = " + " + ".join(["1"] * 900)).outcome.state == "complete"


@pytest.mark.parametrize(
    "source", ["import sys\nsys.exit(0)", "import sys\nsys.exit()", "raise SystemExit", "exit(0)", "quit()"]
)
def test_a_normal_exit_is_complete(run, source):
    assert ended(run(source)) == ("complete", "", None)


def test_network_answers_as_offline(run):
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.1)
    trace = run(f"""
import socket, urllib.request, urllib.error
try: urllib.request.urlopen("http://example.com/data.zip", timeout=5); raise SystemExit("reached")
except urllib.error.URLError as error: print(type(error.reason).__name__)
try: socket.create_connection(("127.0.0.1", {listener.getsockname()[1]}), timeout=2); raise SystemExit("reached")
except ConnectionRefusedError: print("refused")
try: socket.create_connection(("10.1.2.3", 80), timeout=2); raise SystemExit("reached")
except OSError as error: print(type(error).__name__)
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
try: s.sendto(b"x", ("8.8.8.8", 53)); raise SystemExit("sent")
except OSError: print("not sent")
try: socket.socket(socket.AF_UNIX).connect("/var/run/docker.sock"); raise SystemExit("reached")
except OSError: print("no docker")
""")
    assert trace.output == "gaierror\nrefused\nOSError\nnot sent\nno docker\n", (trace.output, trace.outcome)
    assert "network-refused" in kinds(trace)
    with pytest.raises(TimeoutError):
        listener.accept()
    listener.close()


def test_programs_are_taken_to_have_succeeded(run, tmp_path):
    trace = run(f"""
import subprocess, os
assert subprocess.run(["touch", "{tmp_path}/a"]).returncode == 0 and os.path.exists("a")
assert subprocess.check_output(["git", "rev-parse", "HEAD"], text=True) == "" if __import__("shutil").which("git") else True
assert os.system("mkdir -p made/deep") == 0 and os.path.isdir("made/deep")
assert subprocess.call("rm -rf made", shell=True) == 0 and not os.path.exists("made")
assert os.popen("ls").read() == "" and os.popen("stty size", "r").read().split() == ["24", "80"]
assert subprocess.getoutput("tput cols") == "80"
try: subprocess.run(["no-such-program-here"]); raise SystemExit("found")
except FileNotFoundError: pass
for start in (os.fork, lambda: os.execv("/bin/true", ["true"]), lambda: os.posix_spawn("/bin/true", ["true"], dict(os.environ))):
    try: start(); raise SystemExit("started")
    except OSError: pass
import ctypes
assert ctypes.CDLL(None).fork() == -1 and ctypes.CDLL(None).system(b"touch {tmp_path}/b") != 0
""")
    assert trace.outcome.state == "complete", (trace.outcome, trace.failure)
    assert "process-refused" in kinds(trace)
    assert not (tmp_path / "a").exists() and not (tmp_path / "b").exists()


def test_what_a_refused_program_did_not_say_is_no_fault(run):
    trace = run("import os, torch\nx = torch.ones(2)\na, b = os.popen('wc train.txt').read().split()\n")
    assert (trace.outcome.state, trace.failure.ours) == ("incomplete", "refused")


def test_other_processes_get_no_signal(run):
    victim = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
    try:
        trace = run(f"""
import os, ctypes
try: os.kill({victim.pid}, 9); raise SystemExit("sent")
except PermissionError: pass
try: os.kill(os.getppid(), 15); raise SystemExit("sent")
except PermissionError: pass
print(ctypes.CDLL(None).kill({victim.pid}, 9))
""")
        assert trace.output == "-1\n", trace.outcome
        assert kinds(trace).count("signal-refused") == 2
        time.sleep(0.1)
        assert victim.poll() is None
    finally:
        victim.kill()
        victim.wait()


NEEDED = {
    "import os\nos.fork()": "os.fork",
    "import http.client as c\nc.HTTPConnection('example.com').request('GET', '/x')": "example.com",
    "import posix\nposix.mkdir('/shapewright-was-here')": "/shapewright-was-here",
}


@pytest.mark.parametrize("source", NEEDED)
def test_a_script_that_cannot_do_without_is_told_what_was_refused(run, source):
    trace = run(source)
    assert ended(trace) == ("incomplete", "refused", 2)
    assert trace.outcome.fields["action"] == NEEDED[source] and trace.failure.ours


def test_what_python_asks_of_the_machine_is_not_told(run):
    trace = run(
        "import platform, ctypes.util\nplatform.platform()\nplatform.processor()\nctypes.util.find_library('m')"
    )
    assert (trace.outcome.state, kinds(trace)) == ("complete", [])


def test_standard_input_is_empty(run):
    source = "import sys\nassert sys.stdin.read() == '' and not sys.stdin.isatty()"
    assert ended(run(source)) == ("complete", "", None)


WORKERS = """
import multiprocessing as mp, torch.multiprocessing as tmp
from concurrent.futures import ProcessPoolExecutor
def square(x): return x * x
def work(q, n): q.put(n)
def train(rank, n): assert rank == 0
if __name__ == "__main__":
    q = mp.Queue(); ps = [mp.Process(target=work, args=(q, n)) for n in range(2)]
    for p in ps: p.start()
    for p in ps: p.join(); assert p.exitcode == 0 and not p.is_alive()
    assert sorted(q.get() for _ in ps) == [0, 1]
    with mp.Pool(2) as pool: assert pool.map(square, [1, 2, 3]) == [1, 4, 9]
    with mp.get_context("spawn").Pool(2) as pool: assert pool.starmap(pow, [(2, 3)]) == [8]
    with ProcessPoolExecutor(2) as pool: assert list(pool.map(square, [2])) == [4]
    class W(tmp.Process):
        def run(self): self.out.put(7)
    w = W(); w.out = tmp.get_context("spawn").SimpleQueue(); w.start(); w.join(); assert w.out.get() == 7
    tmp.spawn(train, args=(2,), nprocs=2)
    with mp.Manager() as m: d = m.dict(); d["a"] = 1
    v = mp.Value("i", 0)
    with v.get_lock(): v.value += 1
    print("done")
"""


def test_workers_run_in_threads(run):
    trace = run(WORKERS)
    assert trace.output == "done\n", (trace.outcome, trace.output, trace.failure)
    assert "process-in-thread" in kinds(trace)


def test_threads_and_parallel_operators_run(run):
    trace = run("""
import threading, torch
torch.set_num_threads(2)
out = []
ts = [threading.Thread(target=lambda: out.append((torch.randn(300, 300) @ torch.randn(300, 300)).shape)) for _ in range(3)]
for t in ts: t.start()
for t in ts: t.join()
assert len(out) == 3 and torch.nn.Conv2d(3, 8, 3)(torch.randn(8, 3, 64, 64)).shape[1] == 8
""")
    assert trace.outcome.state == "complete", trace.outcome


def test_nothing_is_left_when_the_supervisor_is_killed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import time\nwhile True:\n    time.sleep(0.01)")
    source = f"""
from shapewright.run.process.supervisor import Resident
from shapewright.run.process.request import RunRequest
r = Resident(); print(r.folder, r._process.pid, flush=True)
r.submit(RunRequest({str(script)!r}, timeout=900.0, cwd={str(tmp_path)!r})); r.result(1)
"""
    parent = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
    folder, server = parent.stdout.readline().split()
    assert _until(lambda: children_of(int(server)), PATIENCE)
    (child,) = children_of(int(server))
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert _until(lambda: not _lives(int(server)) and not _lives(child) and not os.path.exists(folder), PATIENCE)


def test_a_killed_server_is_reported(tmp_path):
    (tmp_path / "script.py").write_text("import time\ntime.sleep(10_000_000)")
    with Resident() as resident:
        ticket = resident.submit(RunRequest(str(tmp_path / "script.py"), timeout=900.0, cwd=str(tmp_path)))
        assert _until(lambda: children_of(resident._process.pid), PATIENCE)
        (child,) = children_of(resident._process.pid)
        resident._process.kill()
        trace = resident.result(ticket)
        assert (trace.outcome.state, trace.outcome.reason) == ("incomplete", "crashed")
        assert _until(lambda: not _lives(child), PATIENCE)
    assert not os.path.exists(resident.folder)


def test_two_runs_at_once_and_one_cancelled(resident, tmp_path):
    (tmp_path / "slow.py").write_text("import time\ntime.sleep(10_000_000)")
    (tmp_path / "quick.py").write_text("print('quick')")
    slow = resident.submit(RunRequest(str(tmp_path / "slow.py"), timeout=900.0, cwd=str(tmp_path)))
    assert resident.run(RunRequest(str(tmp_path / "quick.py"), cwd=str(tmp_path))).output == "quick\n"
    resident.cancel(slow)
    assert _until(lambda: not children_of(resident._process.pid), PATIENCE)


def test_a_notebook_runs_cell_after_cell(resident, tmp_path):
    cells = ["%matplotlib inline\nimport torch", "x = torch.ones(2, 3)\ndisplay(x.shape)", "x @ x"]
    file = tmp_path / "n.ipynb"
    file.write_text(json.dumps({"cells": [{"cell_type": "code", "source": [text]} for text in cells]}))
    trace = resident.run(RunRequest(str(file), cwd=str(tmp_path)))
    assert (trace.outcome.state, trace.outcome.site.line) == ("stopped", 7)
    assert trace.output == "torch.Size([2, 3])\n"


def test_a_notebook_may_await(resident, tmp_path):
    file = tmp_path / "n.ipynb"
    file.write_text(
        json.dumps(
            {"cells": [{"cell_type": "code", "source": "import asyncio\nawait asyncio.sleep(0)\nprint('waited')"}]}
        )
    )
    assert resident.run(RunRequest(str(file), cwd=str(tmp_path))).output == "waited\n"


def test_a_flood_of_output_is_cut(run):
    trace = run(
        "import sys\nfor i in range(200_000):\n    sys.stderr.write('x' * 20 + '\\n')\nprint('end', file=sys.stderr)",
        timeout=30.0,
    )
    assert trace.outcome.state == "complete" and len(trace.output) < 400_000


def _until(condition, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return bool(condition())


def _lives(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def children_of(pid: int) -> list[int]:
    """Direct children of a process."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            found += [int(child) for child in Path(f"/proc/{pid}/task/{task}/children").read_text().split()]
    except OSError:
        pass
    return found
