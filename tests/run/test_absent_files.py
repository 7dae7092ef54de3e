"""What is not on this machine: a checkpoint leaves weights as made, raw arrays are made up, the rest is named in one sentence and is no fault."""

import numpy as np
import pytest
import torch
from torch import nn

from shapewright.checking import examine
from shapewright.run.process.child import execute
from shapewright.run.process.request import RunRequest
from shapewright.run.record.assume import Assumptions

TRAIN = """
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    loss = model(torch.randn(4, 3)).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
"""
LOADS = {
    "whole": 'model.load_state_dict(torch.load("w.pt"))',
    "renamed": 'model.load_state_dict({k[7:]: v for k, v in torch.load("w.pt", map_location="cpu")["state_dict"].items()})',
    "merged": 'kept = model.state_dict(); kept.update({k: v for k, v in torch.load("w.pt").items() if k in kept}); model.load_state_dict(kept)',
    "resumed": 'ck = torch.load("runs/w.pt"); model.load_state_dict(ck["model"]); opt = torch.optim.Adam(model.parameters()); '
    'opt.load_state_dict(ck["optimizer"]); start = ck["epoch"] + 1; best = min(ck["best_loss"], 1.0)',
    "hub": 'model.load_state_dict(torch.hub.load_state_dict_from_url("https://example.org/w.pth"))',
}


def examined(resident, folder, text):
    (folder / "a.py").write_text(
        "import torch\nfrom torch import nn\nmodel = nn.Linear(3, 2)\n" + text, encoding="utf-8"
    )
    return examine(str(folder / "a.py"), resident=resident)


@pytest.mark.parametrize("text", LOADS.values(), ids=LOADS.keys())
def test_weights_go_on_as_made(text, resident, tmp_path):
    trace, diagnosis = examined(resident, tmp_path, text + TRAIN)
    assert diagnosis.outcome == "complete" and not diagnosis.findings
    assert "checkpoint-absent" in [item.kind for item in trace.assumptions]


def test_safetensors_too(resident, tmp_path):
    pytest.importorskip("safetensors")
    _, diagnosis = examined(
        resident,
        tmp_path,
        'from safetensors.torch import load_file\nmodel.load_state_dict(load_file("w.safetensors"))' + TRAIN,
    )
    assert diagnosis.outcome == "complete"


def test_a_script_that_is_prepared_finds_none(resident, tmp_path):
    text = 'try:\n    model.load_state_dict(torch.load("w.pt"))\nexcept FileNotFoundError:\n    print("from scratch")\n'
    trace, diagnosis = examined(resident, tmp_path, text + TRAIN)
    assert diagnosis.outcome == "complete" and trace.output == "from scratch\n" and not trace.assumptions


@pytest.mark.parametrize(
    "text",
    [
        'model = torch.load("w.pt")\nmodel.eval()',
        'net = nn.Linear(torch.load("w.pt")["config"]["width"], 4)',
        'nn.Embedding.from_pretrained(torch.load("w.pt")["emb"])',
        'print(open("w.pt").read())',
        'import numpy as np\nnp.load("w.pt")',
    ],
)
def test_what_a_checkpoint_alone_knows_ends_the_run_with_its_name(text, resident, tmp_path):
    trace, diagnosis = examined(resident, tmp_path, text)
    assert (trace.outcome.state, trace.outcome.reason, trace.outcome.fields["file"]) == (
        "incomplete",
        "missing-data",
        "w.pt",
    )
    assert not diagnosis.findings


def test_the_wrong_weights_that_are_there_are_still_refused(resident, tmp_path):
    text = 'torch.save(nn.Linear(4, 2).state_dict(), "w.pt")\nmodel.load_state_dict(torch.load("w.pt"))\n'
    _, diagnosis = examined(resident, tmp_path, text)
    assert [finding.site.line for finding in diagnosis.findings] == [5]


def test_runs_of_one_process_do_not_wrap_each_other(tmp_path):
    (tmp_path / "a.py").write_text("import torch\nfrom safetensors.torch import load_file\n")
    seen = []
    before = torch.load, torch.hub.load, nn.Module.load_state_dict, torch.optim.Optimizer.load_state_dict, np.memmap
    for turn in range(4):
        execute(RunRequest(script=str(tmp_path / "a.py"), engine="live"), tmp_path, Assumptions())
        if not turn:  # a library that another test imported is patched once
            before = (*before[:2], nn.Module.load_state_dict, *before[3:])
            continue
        assert (torch.load, nn.Module.load_state_dict, torch.optim.Optimizer.load_state_dict, np.memmap) == (
            before[0],
            *before[2:],
        )
        import safetensors.torch

        seen.append(
            (getattr(torch.hub.load, "__wrapped__", None), getattr(safetensors.torch.load_file, "__wrapped__", None))
        )
    assert len(set(seen)) == 1 and not hasattr(seen[0][0], "__wrapped__") and not hasattr(seen[0][1], "__wrapped__")


def test_raw_arrays_have_the_type_and_shape_of_the_call(resident, tmp_path):
    text = (
        'import numpy as np\ntokens = np.memmap("train.bin", dtype=np.uint16, mode="r")\ntable = np.memmap("x.dat", dtype="float32", mode="r", shape=(7, 3))\n'
        'print(tokens.dtype, tokens.ndim, len(tokens) > 1000, table.shape, np.fromfile("y.raw", np.int32, 5).shape)\n'
    )
    trace, diagnosis = examined(resident, tmp_path, text)
    assert diagnosis.outcome == "complete" and trace.output == "uint16 1 True (7, 3) (5,)\n"
    assert [item.kind for item in trace.assumptions] == ["stand-in-array"] * 3


LISTED = {
    "glob": 'import glob\nfiles = glob.glob("pictures/*.nii")',
    "path": 'from pathlib import Path\nfiles = sorted(Path("pictures").rglob("*.nii"))',
    "walk": 'import os\nfiles = [os.path.join(a, c) for a, _, b in os.walk("pictures") for c in b]',
}


@pytest.mark.parametrize("text", LISTED.values(), ids=LISTED.keys())
@pytest.mark.parametrize(
    "use",
    [
        "torch.utils.data.DataLoader(files, batch_size=4, shuffle=True)",
        "print(sum(map(len, map(str, files))) / len(files))",
        "torch.stack([torch.ones(2) for _ in files])",
    ],
)
def test_an_empty_folder_of_an_unknown_form_is_filled_or_named_and_is_no_fault(text, use, resident, tmp_path):
    trace, diagnosis = examined(resident, tmp_path, f"{text}\n{use}\n")
    if "nii" in text:  # files of that name, of which nothing is read
        assert trace.outcome.state == "complete" and trace.assumptions[0].fields["file"] == "pictures"
    else:
        assert trace.outcome.reason == "empty-data" and "pictures" in trace.outcome.fields["file"]
    assert not diagnosis.findings


def test_an_empty_list_of_the_script_s_own_stays_its_fault(resident, tmp_path):
    _, diagnosis = examined(resident, tmp_path, "torch.stack([torch.ones(2) for _ in []])\n")
    assert [finding.site.line for finding in diagnosis.findings] == [4]


@pytest.mark.parametrize(
    "use", ["nn.Embedding(3, 2)(torch.tensor([5]))", "a, b, c = torch.ones(2, 3).shape", "model(torch.ones(4, 5))"]
)
def test_an_empty_folder_of_checkpoints_hides_no_fault(use, resident, tmp_path):
    _, diagnosis = examined(resident, tmp_path, f'import glob\nlast = sorted(glob.glob("runs/*.pt"))\n{use}\n')
    assert [finding.site.line for finding in diagnosis.findings] == [6]


def test_a_module_that_is_not_installed_is_named_where_it_would_learn(resident, tmp_path):
    trace, _ = examined(
        resident, tmp_path, "import a_module_that_nobody_has as m\ntorch.relu(m.squash(model(torch.ones(4, 3))))\n"
    )
    assert trace.outcome.reason == "missing-module" and trace.outcome.fields["module"] == "a_module_that_nobody_has"


@pytest.mark.parametrize("use", ["torch.relu(m.rate())", "torch.FloatTensor(m.rate()[1:])"])
def test_what_a_module_that_is_not_installed_makes_of_no_tensor_is_made_up_and_told(use, resident, tmp_path):
    trace, diagnosis = examined(resident, tmp_path, f"import a_module_that_nobody_has as m\nprint({use}.dtype)\n")
    assert diagnosis.outcome == "complete" and trace.output == "torch.float32\n"
    assert ("stand-in-values", 5) in [(one.kind, one.site.line) for one in trace.assumptions]


@pytest.mark.parametrize(
    "text",
    [
        'text = open("input.txt", encoding="utf-8").read()',
        'from pathlib import Path\ntext = Path("data/shakespeare.txt").read_text()',
        'import urllib.request\nurllib.request.urlretrieve("https://example.org/the-verdict.txt", "my.txt")\nwith open("my.txt") as f:\n    text = f.read()',
    ],
)
def test_a_text_is_made_up(text, resident, tmp_path):
    trace, diagnosis = examined(resident, tmp_path, text + "\nprint(len(text) > 5000, 20 < len(set(text)) < 90)\n")
    assert diagnosis.outcome == "complete" and trace.output == "True True\n"
    assert [item.kind for item in trace.assumptions] == ["stand-in-file"]


def test_settings_are_not_guessed(resident, tmp_path):
    trace, _ = examined(resident, tmp_path, 'open("settings.ini").read()\n')
    assert trace.outcome.reason == "missing-data"


STEP = """
net = nn.Linear(WIDTH, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad(); loss.backward(); opt.step()
"""
MADE = {
    "columns": 'import pandas as pd, numpy as np\ndf = pd.read_csv("people.csv")\n'
    'x = torch.from_numpy(df[["age", "height", "weight"]].values.astype(np.float32))\n'
    'y = torch.from_numpy(df["kind"].map({"cat": 0, "dog": 1}).values)' + STEP.replace("WIDTH", "3"),
    "labels from 1": 'import pandas as pd\ndf = pd.read_csv("https://example.org/strength.csv")\n'
    'x = torch.tensor(df[["V1", "V2"]].values).float()\ny = torch.tensor(df["response"].values - 1)'
    + STEP.replace("WIDTH", "2"),
    "width": 'import numpy as np\nxy = np.loadtxt("sugar.csv.gz", delimiter=",", dtype=np.float32)\n'
    "x, y = torch.from_numpy(xy[:, :-1]), torch.from_numpy(xy[:, -1]).long()" + STEP.replace("WIDTH", "8"),
    "pictures": "import os\nimport numpy as np\nfrom PIL import Image\n"
    'names = [name for name in os.listdir("photos") if name.endswith(".png")]\n'
    'x = torch.stack([torch.from_numpy(np.array(Image.open(os.path.join("photos", n)))).float() for n in names])\n'
    "x, y = x[:, :4, 0, 0] / 255, torch.arange(len(names)) % 2" + STEP.replace("WIDTH", "4"),
    "lines": 'pairs = [line.split("\\t") for line in open("eng-fra.txt").read().strip().split("\\n")]\n'
    "words = sorted({word for pair in pairs for word in pair[1].split()})\n"
    "x = torch.stack([torch.randn(5) for a, b in pairs])\ny = torch.tensor([len(a) % 2 for a, b in pairs])"
    + STEP.replace("WIDTH", "5"),
    "named by a table": "import os\nimport pandas as pd\nfrom PIL import Image\nfrom torchvision.transforms import ToTensor\n"
    'frame = pd.read_csv("faces.csv")\n'
    'names = [os.path.join("faces", frame.iloc[i, 0]) for i in range(len(frame))]\n'
    "x = torch.stack([ToTensor()(Image.open(name))[0, 0, :6] for name in names])\n"
    "y = torch.tensor([int(frame.iloc[i, 1]) for i in range(len(frame))])" + STEP.replace("WIDTH", "6"),
    "arrays": 'import numpy as np\nheld = np.load("test.npz")\nx = torch.tensor(np.load("train_x.npy")).float()\n'
    'y = torch.from_numpy(np.load("train_y.npy")).long()\nassert len(held["x"]) == len(held["y"])'
    + STEP.replace("WIDTH", "9"),
    "pixels in rows": 'import pandas as pd, numpy as np\ndata = pd.read_csv("digits.csv")\n'
    "x = torch.tensor(np.array(data.iloc[:, 1:]).reshape(-1, 1, 28, 28)).float().flatten(1)\n"
    "y = torch.tensor(np.array(data.iloc[:, 0]))" + STEP.replace("WIDTH", "784"),
    "texts in folders": "import os\nrows = [(open(os.path.join(kind, name)).read(), label)\n"
    '    for label, kind in enumerate(("neg", "pos")) for name in sorted(os.listdir(kind))]\n'
    "x = torch.tensor([[len(text), text.count(' ')] for text, _ in rows]).float() / 1e5\n"
    "y = torch.tensor([label for _, label in rows])" + STEP.replace("WIDTH", "2"),
    "rows": 'import json\nrows = json.load(open("chat.json")) + [json.loads(line) for line in open("more.jsonl")]\n'
    'x = torch.tensor([[len(row["question"]), len(row["answer"].split())] for row in rows]).float()\n'
    "y = torch.arange(len(rows)) % 2" + STEP.replace("WIDTH", "2"),
}


@pytest.mark.parametrize("text", MADE.values(), ids=MADE.keys())
def test_data_are_made_up_as_the_script_reads_them(text, resident, tmp_path):
    trace, diagnosis = examined(resident, tmp_path, text)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason
    assert {item.kind for item in trace.assumptions} == {"stand-in-file"}


def test_a_fault_that_no_guess_about_the_data_causes_is_found(resident, tmp_path):
    text = MADE["columns"].replace("nn.Linear(3, 2)", "nn.Sequential(nn.Linear(3, 4), nn.Linear(5, 2))")
    _, diagnosis = examined(resident, tmp_path, text)
    assert [finding.code for finding in diagnosis.findings] == ["SW102"]


def test_arguments_that_the_script_wants_are_told(resident, tmp_path):
    trace, _ = examined(
        resident,
        tmp_path,
        'import argparse\np = argparse.ArgumentParser()\np.add_argument("--data")\nif not p.parse_args().data:\n    p.error("--data is needed")\n',
    )
    assert trace.outcome.reason == "arguments" and "--data" in trace.outcome.fields["message"]


def test_a_folder_that_only_its_author_has_is_there(resident, tmp_path):
    text = 'import numpy as np\nopen("logs/a/x.txt", "w").close()\nnp.save("made/x.npy", np.ones(2))\ntorch.save(1, "kept/w.pt")'
    trace, diagnosis = examined(resident, tmp_path, TRAIN + text)
    assert diagnosis.outcome == "complete" and not diagnosis.findings
    told = [item.fields["folder"] for item in trace.assumptions if item.kind == "folder-absent"]
    assert told == ["logs/a", "made", "kept"] and sorted(path.name for path in tmp_path.iterdir()) == ["a.py"]


def test_a_relative_path_is_meant_from_here_where_the_script_runs_elsewhere(resident, tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.py").write_text("print(1)", encoding="utf-8")
    _, diagnosis = examine("a.py", resident=resident, cwd=str(tmp_path / "there"))
    assert diagnosis.outcome == "complete"


def test_files_may_be_given_by_name(resident, tmp_path):
    text = """
import os, shutil
torch.save(obj=model.state_dict(), f="kept.pt")
shutil.copy(src="kept.pt", dst="copy.pt")
os.rename(src="copy.pt", dst="other.pt")
model.load_state_dict(torch.load(f="other.pt", map_location="cpu"))
assert sorted(os.listdir(path=".")) == ["a.py", "kept.pt", "other.pt"]
"""
    trace, diagnosis = examined(resident, tmp_path, f'import os\nos.chdir(r"{tmp_path}")\n' + text + TRAIN)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, trace.outcome
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]


SHOWN = """
import base64, glob, os
import torch
model = torch.nn.Linear(4, 2)
model(torch.randn(8, 4)).sum().backward()
newest = max(glob.glob(os.path.join("films", "*.mp4")), key=os.path.getctime)
print(len(base64.b64encode(open(newest, "rb").read()).decode("ascii")))
"""


def test_a_film_that_is_shown_at_the_end_ends_nothing(run):
    assert run(SHOWN).outcome.state == "complete"


PICTURED = """
import os
import torch
from PIL import Image
from torch import nn
from torchvision import transforms as T

class Cells(torch.utils.data.Dataset):
    def __init__(self, root):
        self.root = root
        self.names = os.listdir(root)

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        name = self.names[index]
        image = Image.open(os.path.join(self.root, name))
        truth = Image.open(os.path.join(self.root + "_GT", "ISIC_" + name[:-4] + "_truth.jpg"))
        both = T.Compose([T.Resize((32, 32)), T.ToTensor()])
        return both(image), both(truth)

net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))
opt = torch.optim.Adam(net.parameters())
for image, truth in torch.utils.data.DataLoader(Cells("data/train"), 2, shuffle=True):
    chance = torch.sigmoid(net(image))
    loss = nn.functional.binary_cross_entropy(chance.view(len(chance), -1), truth.view(len(truth), -1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def test_colours_of_a_picture_that_was_made_up_are_no_evidence(resident, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(PICTURED)
    trace, diagnosis = examine(str(script), resident=resident)
    assert not diagnosis.findings and trace.outcome.state == "complete"
    assert any(item.kind == "samples-made-up" for item in trace.assumptions)


BATCHED = """
import glob
import numpy as np
import torch
from PIL import Image

class Birds(torch.utils.data.Dataset):
    names = glob.glob("birds/*.jpg")
    def __len__(self):
        return len(self.names)
    def __getitem__(self, at):
        return torch.tensor(np.array(Image.open(self.names[at])))

for x in torch.utils.data.DataLoader(Birds(), batch_size=32):
    print(x.movedim(3, 1)[31].shape)
"""


def test_a_row_that_only_more_pictures_would_have_is_no_fault(run):
    trace = run(BATCHED, probe=False)
    assert trace.outcome.state == "complete", trace.outcome


def test_a_try_that_catches_something_else_is_not_prepared(resident, tmp_path):
    text = (
        "import numpy as np\ntry:\n    rows = torch.from_numpy(np.load('rows.npy')).float()\n"
        "    loss = nn.Linear(rows.shape[1], 1)(rows).mean()\n    loss.backward()\n"
        "except KeyboardInterrupt:\n    print('stopped')\n"
    )
    trace, diagnosis = examined(resident, tmp_path, text)
    assert diagnosis.outcome == "complete" and [item.kind for item in trace.assumptions] == ["stand-in-file"]


def test_a_try_that_only_leaves_is_not_prepared(resident, tmp_path):
    text = (
        "import sys\nimport numpy as np\ntry:\n    rows = torch.from_numpy(np.load('rows.npy')).float()\n"
        "except OSError:\n    print('no data')\n    sys.exit(1)\nnn.Linear(rows.shape[1], 1)(rows).mean().backward()\n"
    )
    trace, diagnosis = examined(resident, tmp_path, text)
    assert diagnosis.outcome == "complete" and trace.output == ""


def test_only_guesses_that_a_run_depends_on_are_tried(run):
    trace = run("import numpy as np\nimport torch\nx = torch.from_numpy(np.load('x.npy'))\n", probe=False)
    assert {"width", "many"} <= {*trace.data.consulted} and not {"rich", "masks", "nested"} & {*trace.data.consulted}
