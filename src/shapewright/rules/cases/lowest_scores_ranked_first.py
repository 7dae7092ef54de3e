"""Cases of SW368."""

_RANKED = """
import numpy as np
import torch
from torch import nn
torch.manual_seed(0)
rng = np.random.default_rng(0)
liked = rng.random((30, 40)) < 0.3
people, things = map(torch.from_numpy, np.nonzero(liked))
rows, columns = nn.Embedding(30, 8), nn.Embedding(40, 8)
opt = torch.optim.Adam([*rows.parameters(), *columns.parameters()], lr=0.01)
for step in range(4):
    part = torch.randperm(len(people))[:64]
    near = (rows(people[part]) * columns(things[part])).sum(1)
    far = (rows(people[part]) * columns(torch.randint(0, 40, (64,)))).sum(1)
    loss = -nn.functional.logsigmoid(near - far).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    table = (rows.weight @ columns.weight.T){given}
new = 0
for who in range(30):
    {ranked}
    new += len(set({name}) - set(np.flatnonzero(liked[who])))
print(new / 300)
"""


def _ranked(ranked: str, name: str = "top", given: str = ".numpy()") -> str:
    return _RANKED.format(ranked=ranked, name=name, given=given)


_LEFT_OUT = "own = np.where(liked[who], -np.inf, table[who]); "

_ALL = (
    _RANKED[: _RANKED.index("new = 0")]
    + """
{ranked}
new = torch.from_numpy(~liked).float().gather(1, torch.as_tensor(top)).sum(1)
print(new.mean().item())
"""
)


def _all(ranked: str) -> str:
    """One list a row, for all of them at once."""
    return _ALL.format(ranked=f"own = table.masked_fill(torch.from_numpy(liked), float('-inf')); {ranked}", given="")


_SOUGHT = "own = table[who].copy(); own[{left}] = -np.inf; top = np.argsort(-own)[:10].tolist(); hit = {asked} in top"
_FIRST = "np.flatnonzero(liked[who])[0]"

FAULTY = (
    (_ranked(_SOUGHT.format(left="liked[who]", asked=_FIRST)), 23),
    (_ranked(_LEFT_OUT + "top = np.argsort(own)[:10]"), 23),
    (_ranked(_LEFT_OUT + "top = sorted(range(40), key=lambda one: own[one])[:10]"), 23),
    (_ranked("table[who, liked[who]] = -1e9; best = table[who].argsort()[:5].tolist()", "best", ""), 23),
    (_all("top = own.argsort(dim=1)[:, :8]"), 22),
    (_all("top = own.topk(8, dim=1, largest=False).indices"), 22),
    (_all("top = np.argsort(own.numpy(), axis=1)[:, :8]"), 22),
)
SOUND = (
    _all("top = own.argsort(dim=1, descending=True)[:, :8]"),
    _all("order = own.argsort(dim=1); top = order[:, -8:]"),
    # which ones were left out: some of them for each
    _all("out = torch.from_numpy(np.stack([np.flatnonzero(one)[-3:] for one in liked])); top = own.topk(8).indices"),
    # the nearest by distance, and what is left out is far away
    _all("own = (-own).nan_to_num(posinf=1e9); top = own.argsort(dim=1)[:, :8]"),
    # that none of them is there
    _ranked(
        _LEFT_OUT + "top = np.argsort(-own)[:10].tolist(); bad = [one in top for one in np.flatnonzero(liked[who])]"
    ),
    _ranked(_SOUGHT.format(left="np.flatnonzero(liked[who])[1:]", asked=_FIRST)),
    _ranked(_LEFT_OUT + "top = np.argsort(-own)[:10]"),
    _ranked(_LEFT_OUT + "top = np.argsort(own)[::-1][:10]"),
    _ranked(_LEFT_OUT + "top = np.argsort(own)[-10:]"),
    _ranked(_LEFT_OUT + "top = np.argsort(own); top = top[-10:]"),
    # distances: the nearest first, and what is left out is far away
    _ranked("own = np.where(liked[who], np.inf, -table[who]); top = np.argsort(own)[:10]"),
    # which ones were left out
    _ranked(_LEFT_OUT + "out = np.where(np.isinf(own))[0]; top = np.argsort(-own)[:10]"),
    _ranked("top = np.argsort(table[who])[:10]"),  # the ten that fit least, on purpose
)
