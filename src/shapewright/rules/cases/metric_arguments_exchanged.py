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

FAULTY = (
    (filled(_SCRIPT, metric="r2_score(guesses, real)"), 24),
    (filled(_SCRIPT, metric="metrics.precision_score(flags, real)"), 24),
    (filled(_SCRIPT, metric="roc_auc_score(real, flags)"), 24),
)

SOUND = (
    filled(_SCRIPT, metric="r2_score(real, guesses)"),
    filled(_SCRIPT, metric="metrics.precision_score(real, flags), metrics.accuracy_score(flags, real)"),
    filled(_SCRIPT, metric="roc_auc_score(real, guesses)"),
    filled(_SCRIPT, metric="roc_auc_score([one > 0.5 for one in real], guesses)"),
)
