"""Cases of SW382."""

from . import filled

_SCRIPT = """
import torch
from sklearn import metrics
from sklearn.metrics import r2_score, roc_auc_score
from torch import nn
torch.manual_seed(0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(40, 3)
y = (x[:, 0] > 0).float()
for rows in torch.randperm(40).split(10):
    loss = nn.functional.binary_cross_entropy_with_logits(net(x[rows]).squeeze(1), y[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
def judged():
    guesses, real = [], []
    with torch.no_grad():
        for a, b in zip(x.split(10), y.split(10)):
            scores = torch.sigmoid(net(a)).squeeze(1)
            guesses += scores.tolist()
            real += b.tolist()
    flags = [one > 0.5 for one in guesses]
    return {metric}
print(judged())
"""

# R2 by hand
_FITTED = """
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(90, 4)
y = x @ torch.tensor([1.0, -2.0, 0.5, 3.0])
net = nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for rows in torch.arange(60).split(20):
    loss = nn.functional.mse_loss(net(x[rows]).squeeze(-1), y[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
def fit(a, b):
    left = ((a - b) ** 2).sum()
    return 1 - left / {spread}
with torch.no_grad():
    guess = net(x[60:]).squeeze(-1).numpy()
real = y[60:].numpy()
print({call})
"""
_LEFT = "1 - np.mean((guess - real) ** 2) / np.var({of})"

# a table of classes
_TABLE = """
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
x = torch.randn(90, 4)
y = (x[:, 0] > 0).long() + (x[:, 1] > 0).long()
net = nn.Linear(4, 3)
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for rows in torch.arange(60).split(20):
    loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    guess = net(x[60:]).argmax(1)
table = {zeros}
for a, b in zip(y[60:].tolist(), guess.tolist()):
    table[{place}] += 1
{name} = {share}
print({name})
"""
_NP, _PT = {"zeros": "np.zeros((3, 3))"}, {"zeros": "torch.zeros(3, 3)"}

FAULTY = (
    (filled(_SCRIPT, metric="r2_score(guesses, real)"), 24),
    (filled(_SCRIPT, metric="metrics.precision_score(flags, real)"), 24),
    (filled(_SCRIPT, metric="roc_auc_score(real, flags)"), 24),
    (filled(_FITTED, spread="((a - a.mean()) ** 2).sum()", call="fit(guess, real)"), 17),
    (filled(_FITTED, spread="np.sum((np.mean(b) - b) ** 2)", call="fit(real, guess)"), 17),
    (filled(_FITTED, spread="1", call=_LEFT.format(of="guess")), 21),
    (filled(_TABLE, **_NP, place="a, b", name="recall", share="np.diag(table) / table.sum(axis=0)"), 21),
    (filled(_TABLE, **_NP, place="b, a", name="precision", share="np.diag(table) / np.sum(table, axis=0)"), 21),
    (filled(_TABLE, **_PT, place="a, b", name="class_precision", share="table.diag() / (table.sum(1) + 1e-9)"), 21),
)

SOUND = (
    filled(_SCRIPT, metric="r2_score(real, guesses)"),
    filled(_SCRIPT, metric="metrics.precision_score(real, flags), metrics.accuracy_score(flags, real)"),
    filled(_SCRIPT, metric="roc_auc_score(real, guesses)"),
    filled(_SCRIPT, metric="roc_auc_score([one > 0.5 for one in real], guesses)"),
    filled(_SCRIPT, metric="roc_auc_score(y.numpy(), net(x).squeeze(1).detach().numpy())").replace(
        "> 0).float()\n", "> 0).float()\nx, y = x[:40], y[:40]\n"
    ),
    filled(_FITTED, spread="((a - a.mean()) ** 2).sum()", call="fit(real, guess)"),
    filled(_FITTED, spread="np.sum((np.mean(b) - b) ** 2)", call="fit(guess, real)"),
    filled(_FITTED, spread="1", call=_LEFT.format(of="real")),
    filled(_FITTED, spread="((a - a.mean()) ** 2).sum()", call="fit(real, guess), fit(guess, real)"),
    filled(_TABLE, **_NP, place="a, b", name="recall", share="np.diag(table) / table.sum(axis=1)"),
    filled(_TABLE, **_NP, place="b, a", name="precision", share="np.diag(table) / np.sum(table, axis=1)"),
    filled(_TABLE, **_PT, place="a, b", name="class_precision", share="table.diag() / (table.sum(0) + 1e-9)"),
    filled(_TABLE, **_PT, place="a, b", name="share", share="table.diag() / table.sum(0)"),
)
