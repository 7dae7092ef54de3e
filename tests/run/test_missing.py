"""What a library makes of something that is not installed is no fault of the script."""

import pytest

from shapewright.checking import examine
from shapewright.diagnosis import diagnose
from shapewright.run.process.request import RunRequest
from shapewright.run.stand_ins.files.usage import usage

GIVEN_ON = """
import torch
import quantized_layers as q

model = torch.nn.Sequential(torch.nn.Linear(3, 4), q.QuantReLU(bit_width=4))
model(torch.rand(2, 3)).sum().backward()
"""


COMPARED = """
import nothing_there
import surely_absent.losses as losses
import torch

out = torch.nn.Linear(4, 2)(torch.randn(8, 4))
torch.log(losses.dice(out, torch.randn(8, 2))).backward()
"""


def test_what_was_called_on_a_line_is_named_and_not_what_was_imported_first(run):
    outcome = run(COMPARED).outcome
    assert outcome.fields == {"module": "surely_absent", "line": "7"}, outcome


def test_a_name_of_an_import_that_was_passed_over_names_its_module(run):
    passed = (
        "import torch\ntry:\n    import surely_absent as sa\nexcept ImportError:\n    pass\nprint(torch.ones({of}))\n"
    )
    outcome = run(passed.format(of="sa.size()")).outcome
    assert outcome.fields == {"module": "surely_absent", "line": "6"}, outcome
    assert run(passed.format(of="other.size()")).outcome.reason != "missing-module"


def test_a_layer_of_an_absent_module_names_it(resident, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(GIVEN_ON)
    outcome = resident.run(RunRequest(str(script))).outcome
    assert (outcome.state, outcome.reason) == ("incomplete", "missing-module")
    assert outcome.fields["module"] == "quantized_layers"


LAYERS = """
import torch
{imported}

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rounds = [{layer} for _ in range(2)]

net = Net()
torch.optim.Adam(params=net.parameters(), lr=0.01)
"""


def test_a_model_of_absent_layers_alone_names_their_module_where_an_optimizer_finds_no_parameter(run):
    outcome = run(LAYERS.format(imported="from quantized_layers import Round", layer="Round(3, 4)")).outcome
    assert (outcome.reason, outcome.fields["module"]) == ("missing-module", "quantized_layers")
    for imported in ("", "import quantized_layers"):
        trace = run(LAYERS.format(imported=imported, layer="torch.nn.Linear(3, 4)"))
        assert trace.failure is not None and trace.failure.kind == "ValueError", trace.outcome


TRAINED = """
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader(data, batch_size=16):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
"""
GREY = """
import numpy, torch
from PIL import Image

class Drawings(torch.utils.data.Dataset):
    def __len__(self):
        return 40

    def __getitem__(self, index):
        picture = numpy.atleast_3d(numpy.array(Image.open(f"drawings/{index}.png")))[:32, :32]
        return torch.from_numpy(picture.transpose(2, 0, 1) / 255.0).float(), index % 2

data = Drawings()
model = torch.nn.Sequential(torch.nn.Conv2d(1, 4, 32), torch.nn.Flatten(), torch.nn.Linear(4, 2))
"""
MEASURED = """
import torch
import measurements

found = measurements.read(measurements.settings(), path="measured.bin")
print(found["x"].shape[1])
data = torch.utils.data.TensorDataset(torch.tensor(found["x"].astype("float32")), torch.tensor(found["y"]).long())
model = torch.nn.Linear(40, 10)
"""
INDEXED = """
import os
import numpy, pandas, torch
from PIL import Image

class Faces(torch.utils.data.Dataset):
    def __init__(self):
        table = pandas.read_csv("faces.csv", index_col=0)
        self.names, self.labels = table.index.values, table["label"].values
        self.files = table.index.values

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        picture = numpy.array(Image.open(os.path.join("faces", self.files[index])))[:8, :8]
        return torch.from_numpy(picture / 255.0).float().flatten(), self.labels[index]

data = Faces()
model = torch.nn.Linear(192, 2)
"""


@pytest.mark.parametrize("text", (GREY, MEASURED), ids=("grey", "measured"))
def test_the_form_of_what_is_not_there_is_taken_from_its_use(text, resident, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(text + TRAINED)
    trace, diagnosis = examine(str(script), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, trace.outcome


def test_what_becomes_part_of_a_path_is_known_through_the_attribute_that_keeps_it():
    found = usage([INDEXED])
    assert "index" in found.named
    assert "index" not in usage([INDEXED.replace("self.files[index]", "str(index)")]).named


SMALL_TOO = GREY.replace("[:32, :32]", "") + "\nmodel[2] = torch.nn.Linear(16, 2)\n"


def test_a_guess_that_leads_to_another_failure_shows_that_the_data_are_missing(resident, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(SMALL_TOO + TRAINED)
    trace, diagnosis = examine(str(script), resident=resident)
    assert not diagnosis.findings and trace.outcome.reason == "missing-data", trace.outcome


def test_what_a_library_says_of_files_is_no_fault_of_tensors(run):
    for line in ('torchvision.datasets.Cityscapes("./")', 'torchvision.io.read_image("a.png")'):
        trace = run(f"import torch, torchvision\nfound = {line}\n")
        assert trace.outcome.state == "incomplete"
        assert not diagnose(trace).findings


def test_data_that_come_to_an_end_are_no_fault_of_tensors(run):
    trace = run(
        "import torch\nnumbers = iter(torch.utils.data.DataLoader(torch.arange(8), 4))\n" + "x = next(numbers)\n" * 4
    )
    assert trace.outcome.state == "incomplete" and trace.outcome.fields["type"] == "StopIteration"


HANDLED = """
import sys
import torch

def main():
    model = torch.nn.Linear(4, 2)
    model(torch.randn(3, 5)).sum().backward()

try:
    main()
except Exception as error:
    print("failed:", error)
    sys.exit(-1)
"""


def test_a_script_that_leaves_where_it_handles_an_error_has_ended_with_it(resident, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(HANDLED)
    trace, diagnosis = examine(str(script), resident=resident)
    assert trace.outcome.state == "stopped" and [one.site.line for one in diagnosis.findings] == [7]


TELLS_NOTHING = """
import torch

class Held:
    @property
    def __dict__(self):
        raise TypeError("of another class")

    def __init__(self):
        self.rows = open("not_there.rows", "rb").read()[4].rows

model = torch.nn.Linear(3, 2)
held = Held()
"""


def test_an_object_that_tells_nothing_of_itself_ends_no_check(run):
    outcome = run(TELLS_NOTHING).outcome
    assert outcome.state == "incomplete" and outcome.reason != "crashed", outcome
