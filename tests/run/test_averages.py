"""What looks for running averages of parameters meets a batch that ends smaller."""

import shapewright

SCRIPT = """
import torch
from torch import nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x, weight = torch.randn(40, 5), torch.rand(40)
for epoch in range(3):
    for k in range(0, 40, 16):
        part = weight[k : k + 16]
        loss = ((1 - part) * net(x[k : k + 16]).squeeze(1).pow(2)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
"""


def test_a_last_batch_as_large_as_another_layer_is_recorded(tmp_path, resident):
    (tmp_path / "train.py").write_text(SCRIPT)
    diagnosis = shapewright.check(str(tmp_path / "train.py"), resident=resident)
    assert not diagnosis.findings and not [note for note in diagnosis.assumptions if note.kind == "recording-failed"]
