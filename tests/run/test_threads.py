"""Failures in threads and worker processes are the script's failures."""

from __future__ import annotations

import pytest

STARTS = {
    "a thread": "import threading\nt = threading.Thread(target=work, args=(1,))\nt.start()\n",
    "a thread that is not joined": "import threading, time\nclass T(threading.Thread):\n    def run(self):\n        time.sleep(0.2)\n        work(1)\nT().start()\n",
    "a process": "import multiprocessing as mp\nif __name__ == '__main__':\n    ps = [mp.get_context('spawn').Process(target=work, args=(n,)) for n in (1, 2)]\n"
    "    for p in ps: p.start()\n    for p in ps: p.join()\n",
    "a process of torch's": "import torch.multiprocessing as mp\np = mp.Process(target=work, args=(1,))\np.start()\np.join()\n",
    "a future": "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(2) as pool:\n    print(pool.submit(work, 1).result())\n",
}
WORK = "import torch\ndef work(n):\n    x = torch.ones(n, 3)\n    return torch.matmul(x, x{0})\n"


@pytest.mark.parametrize("name", STARTS)
def test_a_fault_in_a_worker_is_found_with_its_call(run, name):
    trace = run(WORK.format("") + STARTS[name])
    assert (trace.outcome.state, trace.outcome.site.line, trace.failure.event.op) == ("stopped", 4, "matmul"), (
        trace.outcome
    )
    assert run(WORK.format(".T") + STARTS[name]).outcome.state == "complete"


def test_the_simulated_device_is_there_in_threads(run):
    trace = run(
        "import threading, torch\nt = threading.Thread(target=lambda: torch.nn.Linear(3, 4).cuda()(torch.ones(2, 3).cuda()))\nt.start()\nt.join()"
    )
    assert trace.outcome.state == "complete", trace.outcome


def test_what_fails_for_another_reason_is_told(run):
    trace = run("import threading\nthreading.Thread(target=lambda: {}['a']).start()")
    assert (trace.outcome.state, trace.outcome.reason, trace.outcome.fields["type"]) == (
        "incomplete",
        "exception",
        "KeyError",
    )


def test_threads_that_never_end_are_not_waited_for(run):
    trace = run(
        "import threading, queue\nq = queue.Queue()\nthreading.Thread(target=q.get, daemon=True).start()\n"
        "from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor(2).submit(print)\n"
    )
    assert trace.outcome.state == "complete" and trace.seconds < 30  # of 60


PIPED = """
import torch
from multiprocessing import Pipe, Process

def serve(mine, theirs):
    theirs.close()
    while True:
        asked = mine.recv()
        if asked is None:
            mine.close()
            break
        mine.send([0.5] * asked)

here, there = zip(*[Pipe() for _ in range(5)])
served = [Process(target=serve, args=(b, a), daemon=True) for a, b in zip(here, there)]
for one in served:
    one.start()
for end in there:
    end.close()
for end in here:
    end.send(2)
print(torch.tensor([end.recv() for end in here]).shape, here[0].closed, there[0].closed)
for end in here:
    end.send(None)
for one in served:
    one.join()
"""


def test_an_end_of_a_pipe_that_one_side_closes_stays_open_for_the_other(run):
    trace = run(PIPED)
    assert trace.outcome.state == "complete" and trace.seconds < 4, trace.outcome  # none waits for one before it
    assert trace.output.split("\n")[0] == "torch.Size([5, 2]) False True"
