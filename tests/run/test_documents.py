"""Documents of names and lists that are not on this machine are made up as the script takes them apart, each file in a
form of its own."""

import pytest

HEAD = "import json\nimport torch\nfrom torch import nn\n"
TRAIN = """
net = nn.Sequential(nn.Embedding(COUNT, 16), nn.Flatten(), nn.LazyLinear(2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = nn.functional.cross_entropy(net(x), torch.zeros(len(x), dtype=torch.long))
    opt.zero_grad(); loss.backward(); opt.step()
"""
SCRIPTS = {
    "loops within loops": """
def pairs(path):
    with open(path) as file:
        held = json.load(file)
    found = []
    for shelf in held["shelves"]:
        for book in shelf["books"]:
            for note in book["notes"]:
                found.append((book["title"].split(), note["page"] + len(note["text"])))
    return found
rows = pairs("library.json")
vocab = {word: at for at, word in enumerate(sorted({word for words, _ in rows for word in words}))}
x = torch.tensor([[vocab[words[0]], vocab[words[-1]]] for words, _ in rows])
COUNT = len(vocab)
""",
    "records that are kept by name, with tables of numbers": """
import numpy as np
held, poses, kinds = {}, [], []
for part in ("day", "night"):
    with open(f"{part}.json") as file:
        held[part] = json.load(file)
for part in held.values():
    for frame in part["frames"][::2]:
        name = frame["shot"] + ".png"
        poses.append(np.array(frame["pose"]))
        kinds.append(frame["kind"] - 1)
        for number, box in frame["boxes"].items():
            assert int(number) >= 0 and box["size"] / 2 > 0
poses = torch.from_numpy(np.array(poses).astype(np.float32))[:, :3, :4] + float(held["day"]["angle"])
x = torch.bucketize(poses.flatten(1), torch.tensor([0.5, 1.0])) + torch.tensor(kinds)[:, None]
COUNT = 9
""",
    "a vocabulary": """
vocab = json.load(open("vocab.json"))
x = torch.tensor([[vocab["<start>"], vocab["<end>"]]] * 4)
COUNT = len(vocab)
""",
    "names of pictures and numbers, apart": """
from PIL import Image
names, codes = json.load(open("names.json")), json.load(open("codes.json"))
sides = [Image.open(name).size[0] for name in names[:4]]
x = torch.tensor([code[:3] for code in codes[:8]])
COUNT = 50
""",
    "numbered classes": """
index = json.load(open("classes.json"))
names = [index[str(at)][1] for at in range(len(index))]
x = torch.randint(0, 9, (4, 3))
COUNT = len(names)
""",
    "sounds and their lengths, in a folder that is an argument": """
import argparse, os
import librosa
parser = argparse.ArgumentParser()
parser.add_argument("--noisy-dir", default=None)
parser.add_argument("--clean-dir", default=None)
args = parser.parse_args()
def read(folder):
    with open(os.path.join(folder, "list.json")) as file:
        return json.load(file)
noisy, clean = read(args.noisy_dir), read(args.clean_dir)
kept = sorted((one for one in noisy if int(one[1]) > 4000), key=lambda one: one[1])
sound, rate = librosa.load(kept[0][0], sr=8000)
x = torch.tensor(sound[:400]).view(4, 100).abs().mul(40).long()
assert clean[0][1] > 4000 and rate == 8000
COUNT = 50
""",
    "settings": """
class Options:
    def __init__(self, path):
        with open(path) as file:
            self.__dict__.update(json.load(file))
options = Options("options.json")
x = torch.randint(0, options.words, (options.rows, 3))
COUNT = options.words
""",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_documents_are_made_up_as_they_are_taken_apart(name, run):
    trace = run(HEAD + SCRIPTS[name] + TRAIN, probe=False, timeout=240)
    assert trace.outcome.state == "complete", trace.outcome
    assert any(one.kind == "stand-in-file" for one in trace.assumptions)


def test_sizes_of_made_up_settings_are_no_fault(run):
    script = SCRIPTS["settings"] + "first, second = nn.Linear(4, options.a), nn.Linear(options.b + 1, 2)\n"
    trace = run(HEAD + script + "second(first(torch.rand(3, 4)))\n", probe=False, timeout=240)
    assert trace.failure is None
    assert trace.outcome.reason == "missing-data"


APART = {
    "two arrays of their own width": """
import numpy as np
first, second = torch.from_numpy(np.load("first.npy")).float(), torch.from_numpy(np.load("second.npy")).float()
x = nn.Linear(12, 8)(first) + nn.Linear(20, 8)(second)
""",
    "two texts of vectors": """
def read(path):
    with open(path) as file:
        return {line.split()[0]: [float(one) for one in line.split()[1:]] for line in file}
first, second = read("words.txt"), read("tags.txt")
one, other = (torch.tensor(list(table.values())[:8]) for table in (first, second))
x = nn.Linear(12, 8)(one) + nn.Linear(20, 8)(other)
""",
    "pictures shaped to their number": """
import gzip
import numpy as np
def read(name, begin, *shape):
    with gzip.open(name) as file:
        return torch.from_numpy(np.frombuffer(file.read(), dtype=np.uint8)[begin:].reshape(shape).astype("float32"))
x, rest = read("train-images-idx3-ubyte.gz", 16, 600, 784), read("test-images-idx3-ubyte.gz", 16, 100, 784)
""",
    "rows as wide as they are shaped": """
import numpy as np
parts = [np.loadtxt(f"sensor_{name}.txt") for name in "xyz"]
rows = [np.reshape(np.hstack([part[at] for part in parts]), (3, 32)) for at in range(8)]
x = torch.tensor(np.array(rows)).float().flatten(1)
""",
}
STEPS = """
net = nn.Linear(x.shape[1], 2)
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(3):
    loss = net(x.detach()).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
"""


@pytest.mark.parametrize("name", APART)
def test_files_have_sizes_of_their_own(name, run):
    trace = run(HEAD + APART[name] + STEPS, probe=False, timeout=240)
    assert trace.outcome.state == "complete", trace.outcome


KINDS = "rows = json.load(open('rows.json'))\nx, y = torch.randn(8, 4), torch.tensor([KIND for row in rows[:8]])\n"


def test_what_a_tensor_is_made_of_is_numbers(run):
    trace = run(HEAD + KINDS.replace("KIND", "row['kind']") + STEPS, probe=False, timeout=240)
    assert trace.outcome.state == "complete", trace.outcome


def test_words_that_were_made_up_are_no_fault_of_a_tensor(run):
    trace = run(HEAD + "rows = [row['kind'] for row in json.load(open('rows.json'))]\ny = torch.tensor(rows)\n")
    assert trace.failure is None
    assert trace.outcome.reason == "missing-data"
