"""What variables are bound to is looked at; no value of the user's may end a run because of that."""

import os

from shapewright.checking import examine

SCRIPT = """\
import numpy as np
import torch


def step(z):
    return 1.0 if z > 0.5 else 0.0


each = np.vectorize(step)
line, kind, once = np.poly1d([1.0, 2.0]), np.dtype("float32"), np.frompyfunc(step, 1, 1)
print(each(torch.nn.Linear(2, 1)(torch.zeros(9, 2)).detach().numpy()))
"""


def test_a_run_goes_on(tmp_path, resident):
    (tmp_path / "script.py").write_text(SCRIPT)
    trace, _ = examine(os.fspath(tmp_path / "script.py"), resident=resident, repair=False)
    assert trace.outcome.state == "complete", trace.outcome
