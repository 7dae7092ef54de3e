"""The simulated accelerator against the verdicts of a real one (`devices/record.py`)."""

import warnings

import pytest
import torch
from devices.record import rows, verdict

from shapewright.run.device.simulated import Devices
from shapewright.run.record.assume import Assumptions

pytestmark = pytest.mark.skipif(torch.cuda.is_available(), reason="the machine has the device")

# 0-dim tensors given to calls that few scripts make: refused there, let pass here
LET_PASS = (
    "logaddexp",
    "nextafter",
    "equal(",
    "logical_",
    "gcd(",
    "lcm(",
    "lerp(",
    "addc",
    "bucketize",
    "searchsorted",
)
LET_PASS += ("isin(", "kron(", "tensordot", "prelu", "binary_cross", "gaussian_nll", "polar", "masked_fill(a, b >")
LET_PASS += ("repeat_interleave", "tensor_split", "sparse", "set_(", "vmap", "nested", "torch.FloatTensor(torch.ones")
# what is refused here although it runs there: a number taken from the accelerator, in two calls that few scripts make
REFUSED = ("atleast_1d", "index_fill_")
ELSEWHERE = ("atleast_1d", "torch.Tensor([", "linspace")  # runs in both, and is said to be on the other device


def test_tensors_meet_where_a_real_accelerator_lets_them():
    differing = []
    count = 0
    with warnings.catch_warnings(), Devices(Assumptions(), lambda: None).active():
        warnings.simplefilter("ignore")
        for call, operands, verdicts in rows():
            for cpu, real in verdicts.items():
                count += 1
                found = verdict(call, operands, cpu, torch.device("cuda:0"))
                known = LET_PASS if real == "raises" else REFUSED if found == "raises" else ELSEWHERE
                if found != real and not any(part in call for part in known):
                    differing.append((call, operands, cpu, real, found))
    assert count > 1900 and not differing, differing
