"""What a library makes of something that is not installed is no fault of the script."""

from shapewright.run.process.request import RunRequest

GIVEN_ON = """
import torch
import quantized_layers as q

model = torch.nn.Sequential(torch.nn.Linear(3, 4), q.QuantReLU(bit_width=4))
model(torch.rand(2, 3)).sum().backward()
"""


def test_a_layer_of_an_absent_module_names_it(resident, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(GIVEN_ON)
    outcome = resident.run(RunRequest(str(script))).outcome
    assert (outcome.state, outcome.reason) == ("incomplete", "missing-module")
    assert outcome.fields["module"] == "quantized_layers"
