"""Cases of SW223."""

from . import filled

_SCRIPT = """
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
x = np.random.default_rng(0).normal(size=(40, 3)).astype("float32")
labels = (x.sum(1) > 0).astype("float32")
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    loss = nn.functional.binary_cross_entropy_with_logits(net(torch.from_numpy(x)).squeeze(1), torch.from_numpy(labels))
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    scores = net(torch.from_numpy(x)){shape}.numpy()
predicted = (scores > 0).astype("float32")
{metric}
"""


FAULTY = (
    (filled(_SCRIPT, metric="print('accuracy', (predicted == labels).mean())", shape=""), 19),
    (filled(_SCRIPT, metric="error = scores - labels\nprint('rmse', np.sqrt(np.mean(error ** 2)))", shape=""), 19),
    (filled(_SCRIPT, metric="print('hits', np.sum(np.equal(predicted, labels)))", shape=""), 19),
    (
        filled(
            _SCRIPT,
            metric="def mae(guess, truth):\n    return np.abs(truth - guess).mean()\n\nprint(mae(scores, labels))",
            shape="",
        ),
        20,
    ),
)

SOUND = (
    filled(_SCRIPT, metric="print('accuracy', (predicted == labels).mean())", shape=".squeeze(-1)"),
    filled(
        _SCRIPT,
        metric="print('accuracy', (predicted.ravel() == labels).mean(), np.mean((scores[:, 0] - labels) ** 2))",
        shape="",
    ),
    filled(
        _SCRIPT,
        metric="apart = np.abs(labels[:, None] - labels).mean()\nspread = np.abs(scores.reshape(-1, 1) - "
        "labels)\nprint(apart, spread.mean())",
        shape="",
    ),
    filled(
        _SCRIPT,
        metric="gaps = scores - labels\nnearest = gaps.argmin(axis=1)\nprint(np.abs(gaps).min(axis=1).mean(), nearest)",
        shape="",
    ),
    filled(
        _SCRIPT,
        metric="def kernel(a, b):\n    return np.exp(-np.square(a - b)).mean()\n\n"
        "print(kernel(x[:, :1], labels[None]), "
        "kernel(labels[:, None], labels))",
        shape="",
    ),
)
