"""What a run is spared changes nothing in it."""

import subprocess
import sys

SCRIPT = """
import sys
import torch
from shapewright.run.process.quicken import fuse_adam, plain_checks, quicken
quicken()
plain_checks()
fuse_adam()
attention = torch.nn.MultiheadAttention(8, 2, batch_first=True)
x = torch.randn(2, 3, 8)
attention(x, x, x, key_padding_mask=torch.zeros(2, 3, dtype=torch.bool))
try:
    attention(x, x, x, key_padding_mask=torch.zeros(3, 3, dtype=torch.bool))
except Exception as error:
    print(type(error).__name__, error)
print("sympy" in sys.modules)
from torch._dynamo.utils import is_compile_supported
assert not is_compile_supported("cpu") and "torch._dynamo.convert_frame" not in sys.modules


def trained(**options):
    torch.manual_seed(0)
    net = torch.nn.Linear(1100, 1000)
    opt = torch.optim.AdamW(net.parameters(), lr=0.01, **options)
    for _ in range(3):
        opt.zero_grad()
        net(torch.ones(2, 1100)).pow(2).mean().backward()
        opt.step()
    return net.weight


print(bool(torch.allclose(trained(), trained(foreach=True), atol=1e-6)))
"""


def test_checks_and_steps_say_and_do_what_they_did():
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    plain = subprocess.run(
        [sys.executable, "-c", SCRIPT.replace("plain_checks()\n", "\n")], capture_output=True, text=True
    )
    assert done.stdout.splitlines()[0] == plain.stdout.splitlines()[0] and "shape[0] to be 2" in done.stdout
    assert done.stdout.splitlines()[1:] == ["False", "True"] and plain.stdout.splitlines()[1:] == ["True", "True"], (
        done.stderr
    )
