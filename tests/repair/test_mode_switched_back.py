"""A function that evaluates leaves the model in evaluation mode: training mode is switched on where it was called, not inside of it."""

import shapewright

SCRIPT = """
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(5, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 2))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
x, y = torch.randn(96, 5), torch.randint(0, 2, (96,))


def validate(model):
    model.eval()
    with torch.no_grad():
        return (model(x[80:]).argmax(1) == y[80:]).float().mean().item()


for epoch in range(2):
    model.train()
    for i in range(0, 80, 8):
        loss = nn.functional.cross_entropy(model(x[i:i + 8]), y[i:i + 8])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i % 16 == 0:
            score = validate(model)
    print(epoch, score)
"""


def test_training_mode_comes_back_after_the_call(tmp_path, resident):
    script = tmp_path / "train.py"
    script.write_text(SCRIPT)
    repaired = next(iter(shapewright.fix(script, resident=resident).values()))
    assert "            score = validate(model)\n            model.train()\n" in repaired
    assert "model.eval()\n    with" in repaired
