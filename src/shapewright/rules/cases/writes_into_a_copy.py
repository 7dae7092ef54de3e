"""Cases of SW319."""

from . import filled

_SCRIPT = """
import random
import numpy as np
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(6, 5)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.randn(24, 6), torch.randint(0, 5, (24,))
small = (model.weight.detach().abs() < 0.2).nonzero(as_tuple=True)
rows, columns = torch.arange(8), torch.arange(8) % 5
table, order, groups = np.zeros((6, 5)), list(range(24)), {}
picked = np.array([0, 2, 3])
for step in range(3):
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        {pruned}
    {counted}
    {grouped}
    {shuffled}
with torch.no_grad():
    scores = model(x)
    {masked}
    print(scores.argmax(1), table.sum(), groups, order[:3])
"""
_SOUND = {
    "pruned": "model.weight[small] = 0.0",
    "counted": "table[picked] += 1",
    "grouped": "groups.setdefault(step, []).append(float(loss))",
    "shuffled": "random.shuffle(order)",
    "masked": "scores[rows, columns] = -9.0",
}

FAULTY = (
    (filled(_SCRIPT, **_SOUND | {"masked": "scores[rows][:, columns] = -9.0"}), 27),
    (filled(_SCRIPT, **_SOUND | {"pruned": "model.weight[small].zero_()"}), 21),
    (filled(_SCRIPT, **_SOUND | {"counted": "table[picked][:, 1:3] += 1"}), 22),
    (filled(_SCRIPT, **_SOUND | {"grouped": "groups.get(step, []).append(float(loss))"}), 23),
    (filled(_SCRIPT, **_SOUND | {"shuffled": "random.shuffle(order[:12])"}), 24),
    (filled(_SCRIPT, **_SOUND | {"masked": "nn.init.zeros_(model.weight[[1, 2]])"}), 27),
    (filled(_SCRIPT, **_SOUND | {"counted": "table.flatten()[3] = 1"}), 22),
)

SOUND = (
    filled(_SCRIPT, **_SOUND),
    # views share the memory, and what the script's own function is given it may use up
    filled(_SCRIPT, **_SOUND | {"pruned": "model.weight[1:3].zero_()", "counted": "table[2:4][:, 1:3] += 1"}),
    filled(_SCRIPT, **_SOUND | {"masked": "nn.init.zeros_(model.weight[0])", "counted": "table.reshape(-1)[3] = 1"}),
    filled(_SCRIPT, **_SOUND | {"masked": "scores.view(-1)[::7].clamp_(max=0)", "counted": "table.T[1][picked] = 2"}),
    filled(_SCRIPT, **_SOUND | {"grouped": "groups[step] = []; groups.get(step, []).append(1)"}),
    filled(
        _SCRIPT.replace("for step", "def work(left):\n    while left:\n        left.pop()\n\nfor step", 1),
        **_SOUND | {"shuffled": "work(order[:12])"},
    ),
    filled(_SCRIPT, **_SOUND | {"masked": "[[1, 2], [3]][:1][0].append(4)"}),
)
