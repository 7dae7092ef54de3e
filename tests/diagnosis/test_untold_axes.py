"""Data that are not there and of which it is not known how many axes they have: rules that read axes speak where the
script itself tells, and rest where another number would do as well."""

import pytest

from shapewright.checking import check

ARRAYS = """
import numpy as np
import torch
from torch import nn

x = torch.from_numpy(np.load("recordings.npy")).float()
y = torch.from_numpy(np.load("{file}.npy")).{kind}()
"""
TRAIN = """
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
batches = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=16, shuffle=True)
for epoch in range(4):
    for given, wanted in batches:
        opt.zero_grad()
        loss = nn.functional.{loss}(net(given), wanted)
        loss.backward()
        opt.step()
"""
CHANNELS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv, self.head = nn.Conv1d(3, 8, 3, padding=1), nn.Linear(8, 4)

    def forward(self, x):
        felt = self.conv(x).relu()
        weights = torch.softmax(felt.mean(1), dim={dim})
        return self.head((felt * weights.unsqueeze(1)).sum(2))

net = Net()
"""
ROWS = "net = nn.Sequential(nn.Linear(x.shape[1], 16), nn.ReLU(), nn.Linear(16, 1))\n"
STEPS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.LSTM(x.shape[-1], 8, batch_first=True), nn.Linear(8, 4)

    def forward(self, x):
        return self.head(self.rnn(x)[0]).view(-1, 4)

net = Net()
"""
PICKLED = """
import pickle
import torch
from torch import nn

kept = pickle.load(open("flowers.pkl", "rb"))
x, y = torch.tensor(kept["rows"]).float(), torch.tensor(kept["label"]).long()
net = nn.Linear(x.shape[-1], 3)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(4):
    for at in range(0, len(x), 16):
        shares = torch.softmax(net(x[at : at + 16]), dim=0)
        loss = nn.functional.nll_loss(shares.log(), y[at : at + 16])
        opt.zero_grad()
        loss.backward()
        opt.step()
"""


def script(body: str, loss: str = "cross_entropy", file: str = "labels", kind: str = "long") -> str:
    return ARRAYS.format(file=file, kind=kind) + body + TRAIN.format(loss=loss)


SEQUENCES = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn, self.head = nn.GRU(20, 8{first}), nn.Linear(8, 4)

    def forward(self, x):
        return self.head(self.rnn(x{turned})[0]{last})

net = Net()
"""
CASES = {
    "weights over samples, convolution": (script(CHANNELS.format(dim=0)), ["SW202"]),
    "weights over steps, convolution": (script(CHANNELS.format(dim=1)), []),
    "shares over samples, pickled rows": (PICKLED, ["SW202"]),
    "steps last, as the layer takes them": (
        script(SEQUENCES.format(first="", turned=".transpose(0, 1)", last="[-1]")),
        [],
    ),
    "samples as steps, three axes": (script(SEQUENCES.format(first="", turned="", last="[:, -1]")), ["SW250"]),
    "targets may be a column": (script(ROWS, "mse_loss", "labels", "float"), []),
    "rows may be sequences": (script(STEPS), []),
}


@pytest.mark.parametrize("name", CASES)
def test_rules_of_axes_speak_where_the_script_tells_how_many_data_have(name, tmp_path, resident, monkeypatch):
    text, codes = CASES[name]
    (path := tmp_path / "train.py").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = check(path, resident=resident, repair=bool(codes), timeout=120.0)
    assert found.outcome == "complete", found.reason
    assert [finding.code for finding in found.findings] == codes
    for finding in found.findings:  # it is judged again when it is repaired
        assert finding.fixes and finding.fixes[0].applicability == "safe", finding.fixes
