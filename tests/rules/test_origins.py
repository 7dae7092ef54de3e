"""Origins name the lines that decided a size, from real runs."""

from __future__ import annotations

import pytest

from shapewright.graph.backwalk import came_from, tensors
from shapewright.graph.origins import Origins, blend
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions
from shapewright.trace import Origin, Site


def trace_of(tmp_path, text):
    script = tmp_path / "script.py"
    script.write_text(text)
    return execute(RunRequest(script=str(script)), tmp_path, Assumptions())


def failing(trace):
    return next(tensors(trace.failure.event.args))


def test_an_axis_is_followed_to_the_layer_and_its_default(tmp_path):
    trace = trace_of(
        tmp_path,
        """\
import torch
class Net(torch.nn.Module):
    def __init__(self, hidden=7):
        super().__init__()
        self.a = torch.nn.Linear(4, hidden)
    def forward(self, x):
        return torch.relu(self.a(x)).unsqueeze(0).transpose(0, 1)
out = Net()(torch.randn(3, 4))
out.view(5, 5)
""",
    )
    assert [o.line for o in (origin.site for origin in Origins(trace).of_axis(failing(trace), -1))][:2] == [5, 3]
    assert next(origin.site.line for origin in Origins(trace).of_axis(failing(trace), 0)) == 8


def test_a_lost_axis_is_found(tmp_path):
    trace = trace_of(
        tmp_path,
        """\
import torch
x = torch.randn(1, 6)
y = x.squeeze()
z = y * 2
z.size(1)
""",
    )
    assert Origins(trace).of_rank(failing(trace))[0].site.line == 3


def test_a_size_read_off_another_tensor_leads_there(tmp_path):
    trace = trace_of(
        tmp_path,
        """\
import torch
def positions(x):
    n = x.size(1)
    return torch.arange(n)
x = torch.randn(2, 9)
p = positions(x)
p.view(4, 4)
""",
    )
    assert {4, 3, 5} <= {origin.site.line for origin in Origins(trace).of_axis(failing(trace), 0)}


@pytest.mark.parametrize(
    ("call", "axis", "expected"),
    [
        ("x.permute(2, 0, 1)", 0, 2),
        ("x.transpose(0, 2)", 2, 0),
        ("x.reshape(2, 15)", 0, 0),
        ("x.unsqueeze(1)", 2, 1),
        ("x[:, 0]", 1, 2),
        ("x[None, :, 1]", 1, 0),
        ("x[..., -1]", 1, 1),
        ("x.mean(1)", 1, 2),
        ("x.flatten(1)", 0, 0),
        ("x.sum(dim=(0, 2))", 0, 1),
        ("x.squeeze(0)", 2, 2),
        ("x.repeat(2, 1, 1)", 2, 2),
        ("torch.stack([x, x])", 1, 0),
        ("torch.cat([x, x], dim=1)", 0, 0),
        ("torch.einsum('abc->cab', x)", 0, 2),
        ("x.t_() if 0 else x.mT", 1, 2),
    ],
)
def test_one_step_back(tmp_path, call, axis, expected):
    trace = trace_of(tmp_path, f"import torch\nx = torch.randn(2, 3, 5)\ny = {call}\n")
    event = trace.events[-1]
    assert came_from(event, event.result, axis).sources[0][1] == expected


def test_blend_gives_every_axis_its_say():
    def at(line):
        return Origin("literal", "", Site("f", line))

    assert [o.site.line for o in blend([at(1), at(2), at(3)], [at(9), at(1)], most=3)] == [1, 9, 2]
