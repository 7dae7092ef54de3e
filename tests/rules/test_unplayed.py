"""Where a run has shapes alone no model can be played again; then the batch axis that a DataLoader made tells whose place it took."""

import pytest
import torch

from shapewright.diagnosis import diagnose
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.settings import Settings

SCRIPT = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.token = nn.Parameter(torch.zeros(1, 1, 8))
        self.layer = {layer}
        self.out = nn.Linear(8, 3)

    def forward(self, x):
        x = torch.cat([self.token.expand(len(x), -1, -1), x], dim=1)
        x = {call}
        return self.out(x{read})

net = Net()
opt = torch.optim.Adam(net.parameters())
for x, y in DataLoader(TensorDataset(torch.randn(24, 5, 8), torch.randint(0, 3, (24,))), batch_size=6, shuffle=True):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
FAULTY = [
    ("SW250", "nn.GRU(8, 8)", "self.layer(x)[0]", "[:, -1]"),
    ("SW251", "nn.MultiheadAttention(8, 2)", "self.layer(x, x, x)[0]", "[:, 0]"),
    ("SW251", "nn.TransformerEncoderLayer(8, 2, 16)", "self.layer(x)", "[:, 0]"),
]
SOUND = [
    ("nn.GRU(8, 8, batch_first=True)", "self.layer(x)[0]", "[:, -1]"),
    ("nn.GRU(8, 8)", "self.layer(x.transpose(0, 1))[0]", "[-1]"),
    ("nn.MultiheadAttention(8, 2, batch_first=True)", "self.layer(x, x, x)[0]", "[:, 0]"),
    ("nn.TransformerEncoderLayer(8, 2, 16)", "self.layer(x.permute(1, 0, 2))", "[0]"),
    (
        "nn.MultiheadAttention(8, 2)",
        "self.layer(x.mean(1)[:, None], x.mean(1)[:, None], x.mean(1)[:, None])[0]",
        "[:, 0]",
    ),
]


@pytest.fixture
def found(tmp_path):
    def run(layer, call, read):
        script = tmp_path / "script.py"
        script.write_text(SCRIPT.format(layer=layer, call=call, read=read), encoding="utf-8")
        torch.manual_seed(0)
        trace = execute(RunRequest(script=str(script), engine="dry"), tmp_path, Assumptions())
        assert trace.outcome.state == "complete", trace.outcome
        return {lang: diagnose(trace, Settings(lang=lang, strict=True)).findings for lang in ("en", "es", "ja")}

    return run


@pytest.mark.parametrize(("code", "layer", "call", "read"), FAULTY)
def test_a_layer_that_takes_the_batch_for_time_is_a_warning(code, layer, call, read, found):
    told = found(layer, call, read)
    assert [(f.code, f.site.line, f.severity) for f in told["en"]] == [(code, 15, "warning")]
    assert len({f.why for findings in told.values() for f in findings}) == 3


@pytest.mark.parametrize(("layer", "call", "read"), SOUND)
def test_time_first_and_batch_first_layers_are_silent(layer, call, read, found):
    assert found(layer, call, read)["en"] == ()
