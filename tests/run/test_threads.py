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
