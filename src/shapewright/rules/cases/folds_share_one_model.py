"""Cases of SW334."""

_SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
x, y = torch.randn(24, 3), torch.randn(24, 1)
parts = torch.arange(24).chunk(3)
{before}
for fold in range(3):
    {inside}
    val_idx, train_idx = parts[fold], torch.cat([part for k, part in enumerate(parts) if k != fold])
    for step in range(4):
        loss = nn.functional.mse_loss(model(x[train_idx]), y[train_idx])
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print(fold, nn.functional.mse_loss(model(x[val_idx]), y[val_idx]).item())
"""

_MODEL = "model = nn.Linear(3, 1)"

_OPT = "opt = torch.optim.SGD(model.parameters(), lr=0.1)"

_ON = _SCRIPT.replace("{before}", f"{_MODEL}\n{_OPT}")

_TASKS = _ON.replace("{inside}", "pass").replace("val_idx, train_idx", "train_idx, val_idx")

TURNS = """
import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(0)
rows = rng.normal(size=(200, 6)).astype("float32")
goals = rows.sum(1)


def fit(given, asked):
    net = nn.Linear(6, 1)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for part in torch.randperm(len(given)).split(32):
        loss = (net(given[part])[:, 0] - asked[part]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return net


parts = np.array_split(rng.permutation(200), 4)
for turn, held in enumerate(parts):
    mine = np.concatenate([part for at, part in enumerate(parts) {rest}])
    mean, spread = rows[mine].mean(0), rows[mine].std(0)
    net = fit(torch.from_numpy((rows[mine] - mean) / spread), torch.from_numpy(goals[mine]))
    with torch.no_grad():
        out = net(torch.from_numpy((rows[held] - mean) / spread))[:, 0]
    print(turn, np.abs(out.numpy() - goals[held]).mean())
"""

FAULTY = (
    (_ON.replace("{inside}", "pass"), 9),
    (_ON.replace("{inside}", "pass").replace("fold", "epoch"), 9),
    (_SCRIPT.replace("{before}", _MODEL).replace("{inside}", _OPT).replace("_idx", "_rows"), 8),
)

SOUND = (
    _SCRIPT.replace("{before}", "").replace("{inside}", f"{_MODEL}\n    {_OPT}"),
    _ON.replace("{inside}", "model.reset_parameters()"),
    _TASKS,
    _ON.replace("{inside}", "pass").replace("range(3)", "range(1, 3)").replace("if k != fold", "if k < fold"),
)
