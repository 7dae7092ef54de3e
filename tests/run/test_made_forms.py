"""Absent data in other forms than the first guess: folders of folders, texts of numbers, of tags, pictures of a side."""

import pytest

from shapewright.run.ending.guessed import with_guesses
from shapewright.run.process.request import RunRequest
from shapewright.trace import Event, Failure, Outcome, Seen, Site, TensorFact, Trace

TRAIN = """
net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(x[0].numel(), int(y.max()) + 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    opt.zero_grad()
    loss = torch.nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
"""
PICTURE = "torch.from_numpy(np.asarray(Image.open({}).convert('L').resize((12, 12)), dtype='float32')) / 255"
HEAD = "import glob, os, random\nimport numpy as np\nimport torch\nfrom PIL import Image\n"
LISTED = {
    "sampled": "top = '../birds/train'\nkinds = [os.path.join(top, k) for k in os.listdir(top)]\n"
    "kinds = [k for k in kinds if os.path.isdir(k)]\npicked = random.sample(kinds, 5)\n"
    "rows = [(os.path.join(k, f), n) for n, k in enumerate(picked) for f in random.sample(os.listdir(k), 4)]\n",
    "numbered": "rows = []\nfor kind in sorted(os.listdir('digits/train')):\n"
    "    for file in glob.glob(os.path.join('digits/train', kind, '*.png')):\n        rows.append((file, int(kind)))\n",
    "starred": "rows = [(f, int(os.path.basename(os.path.dirname(f)))) for f in glob.glob('/flowers/all/*/*.jpg')]\n",
    "between": "rows = [(f, n % 3) for n, f in enumerate(glob.glob('scans/*/left/*.png'))]\n",
    "families": "rows = []\nfor family in os.listdir('letters'):\n    for sign in os.listdir(os.path.join('letters', family)):\n"
    "        inner = os.path.join('letters', family, sign)\n        rows += [(os.path.join(inner, f), 0) for f in os.listdir(inner)]\n",
}


@pytest.mark.parametrize("name", LISTED)
def test_folders_of_folders_of_pictures_are_made_up(name, run):
    text = HEAD + LISTED[name] + f"x = torch.stack([{PICTURE.format('f')} for f, _ in rows[:30]])\n"
    trace = run(text + "y = torch.tensor([n for _, n in rows[:30]])\n" + TRAIN, probe=False, timeout=40)
    assert trace.outcome.state == "complete", trace.outcome
    assert any(item.kind == "stand-in-file" for item in trace.assumptions)


TEXTS = {
    "vectors": "table = {}\nfor line in open('glove.6B.50d.txt', encoding='utf-8'):\n    word, *rest = line.split()\n"
    "    table[word] = [float(part) for part in rest]\nx = torch.tensor([table['the']] * 4)\nassert x.shape[1] == 50\n"
    "y = torch.tensor([0, 1, 0, 1])\n",
    "pairs": "x = []\nwith open('graph/links.txt') as links:\n    for line in links:\n        a, b = line.split()\n"
    "        x.append([int(a), int(b)])\nx = torch.tensor(x[:40]).float()\ny = torch.arange(40) % 2\n",
    "parts": "rows = [line.strip() for line in open('scans/train.txt')]\n"
    "y = torch.tensor([int(row.split()[2]) for row in rows])\nx = torch.tensor([[len(row.split()[0]) / 9] for row in rows])\n",
    "named": "import os\nimport numpy as np\nfrom PIL import Image\nx, y = [], []\nfor line in open('faces/list.txt'):\n"
    "    file, age = line.split(';')\n    y.append(int(float(age)))\n"
    "    x.append(torch.from_numpy(np.asarray(Image.open(os.path.join('faces', file)).resize((4, 4)), 'float32')))\n"
    "x, y = torch.stack(x[:9]), torch.tensor(y[:9])\n",
    "words": "from collections import Counter\ncount = Counter(open('news.txt').read().split())\n"
    "def often(word):\n    return count[word] / len(count)\nassert often('parliament') > 0\n"
    "x, y = torch.randn(4, 6), torch.arange(4) % 2\n",
    "arrays": "import numpy as np\nkept = np.load('faces')\nx = torch.from_numpy(kept['rows'])\n"
    "y = torch.from_numpy(kept['labels'])\n",
    "pickled parts side by side": "import pickle\nimport numpy as np\n"
    "rows, signs, held, kinds = pickle.load(open('signs.pkl', 'rb'))\nx = np.zeros((len(rows), 9, rows[0].shape[-1]))\n"
    "for at, row in enumerate(rows):\n    x[at, :1] = row\ntable = np.zeros((len(signs), 30))\n"
    "for at, each in enumerate(signs):\n    for sign in each:\n        table[at, sign] = 1\n"
    "x, y = torch.tensor(x[:30]).float(), torch.tensor(table[:30].argmax(1))\n"
    "x = torch.nn.LSTM(24, 4, batch_first=True)(x.unflatten(2, (-1, 1)).expand(-1, -1, -1, 2).flatten(2))[0].detach()\n",
    "pictures in an array": "import numpy as np\nx = torch.from_numpy(np.load('scans.npy')[:4]).float()\n"
    "x, y = torch.nn.Conv2d(2, 3, 5)(x).detach(), torch.arange(4) % 2\n",
    "colours last": "import numpy as np\nx = np.load('scans.npy')[:4].transpose(0, 3, 1, 2)\n"
    "x, y = torch.from_numpy(x / 255).float(), torch.arange(4) % 2\n",
    "axes of each file": "import numpy as np\nrows, kinds = np.load('walks/train_steps.npy'), np.load('walks/train_y.npy')\n"
    "held = np.load('walks/test_steps.npy')\nassert held[0, :, -1].ndim == 1 and kinds.ndim == 1\n"
    "x = torch.from_numpy(rows[:9, :, :-1]).float()\nx, y = torch.nn.LSTM(7, 4)(x)[0][:, -1].detach(), torch.from_numpy(kinds)[:9].long()\n",
    "saved tensors by names": "kept = torch.load('digits/training.pt')\nx = (kept['images'].float() / 255)[:9]\n"
    "y = kept['labels'][:9].long()\nassert x.dtype == torch.float32 and torch.nn.Linear(49, 2)(x).shape == (9, 2)\n",
    "saved tensors side by side": "class Digits(torch.utils.data.Dataset):\n    def __init__(self):\n"
    "        self.rows, self.kinds = torch.load('digits/test.pt')\n    def __len__(self):\n        return self.rows.size(0)\n"
    "    def __getitem__(self, at):\n        return self.rows[at], self.kinds[at]\n"
    "x, y = next(iter(torch.utils.data.DataLoader(Digits(), batch_size=9)))\nassert torch.nn.Linear(6, 2)(x).shape == (9, 2)\n",
    "saved pictures and labels": "x, y = torch.load('digits/processed.pt')\nx, y = x[:9].float().unsqueeze(1), y[:9].long()\n"
    "assert torch.nn.Linear(24 * 24, 2)(torch.nn.Conv2d(1, 1, 5)(x).flatten(1)).shape == (9, 2)\n",
    "entries by number": "import numpy as np\nimport surely_not_installed\nkept = surely_not_installed.File('scans.h5', 'r')\n"
    "x = torch.stack([torch.Tensor(np.array(kept[key])) for key in list(kept.keys())[:4]])\n"
    "x, y = torch.nn.Conv2d(1, 3, 5)(x).detach(), torch.arange(4) % 2\n",
    "bytes after a header": "import gzip\nimport numpy as np\n"
    "with gzip.open('digits/train-images-idx3-ubyte.gz') as file:\n"
    "    x = torch.tensor(np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 28, 28) / 255)[:9].float()\n"
    "with gzip.open('digits/train-labels-idx1-ubyte.gz') as file:\n"
    "    y = torch.tensor(np.frombuffer(file.read(), np.uint8, offset=8))[:9].long()\nassert len({*y.tolist()}) > 2\n",
    "labels in pictures": "import numpy as np\nfrom PIL import Image\n"
    "seen = np.stack([np.asarray(Image.open(f'scans/{n}.jpg')) for n in range(4)])\n"
    "kinds = [Image.open(f'kinds/{n}.png') for n in range(4)]\nassert kinds[0].getpalette() and seen.ndim == 4\n"
    "x, y = torch.tensor(seen[:, ::16, ::16] / 255).float(), torch.tensor([int(np.max(kind)) for kind in kinds])\n",
    "pickled pairs": "import gzip, pickle\nwith gzip.open('digits.pkl.gz', 'rb') as file:\n"
    "    (x, y), (held, _), _ = pickle.load(file, encoding='latin-1')\nassert len(held)\n"
    "x, y = torch.from_numpy(x.reshape(-1, 1, 8, 8).astype('float32')), torch.tensor(y)\nassert x.shape[2:] == (8, 8)\n",
    "pickled rows": "import pickle\nbatch = pickle.load(open('batch.pkl', 'rb'), encoding='bytes')\n"
    "kept = {key: batch[key] for key in batch.keys()}\nx, y = torch.Tensor(batch[b'data'][:20]), torch.tensor(batch[b'labels'][:20])\n",
    "pickled recordings": "import pickle\nkept = pickle.load(open('walks.pkl', 'rb'))\nfor walk in kept:\n"
    "    walk['gone'] = walk['pace'].cumsum(0)\n    assert len(walk['pace']) == walk['gone'].shape[0] >= 30\n"
    "x = torch.stack([torch.from_numpy(kept[n]['joints'][:30]).mean(0) for n in range(8)])\n"
    "assert torch.nn.Linear(9, 2)(x).shape == (8, 2) and kept[3]['gone'].ndim == 1\ny = torch.arange(8) % 2\n",
    "pickled lists": "import pickle\nkept = pickle.load(open('rows/train.txt', 'rb'))\n"
    "longest = max(len(row) for row in kept[0])\nx = torch.Tensor([row + [0] * (longest + 2 - len(row)) for row in kept[0]])\n"
    "y = torch.tensor([int(kind) for kind in kept[1]])\nassert x.ndim == 2 and len(x) == len(y)\n",
    "counted": "import surely_not_installed\nkept = surely_not_installed.Vectors.load('words.bin')\n"
    "x, y = torch.FloatTensor(4, kept.vector_size).normal_(), torch.arange(4) % 2\n",
    "numbers": "y = torch.tensor([int(line) for line in open('labels.txt')][:40])\nx = torch.randn(40, 6)\n",
    "tagged": "x, y, tags, words = [], [], {}, {}\nfor line in open('ner/train.txt'):\n    if not line.strip():\n        assert x\n"
    "        continue\n    word, tag = line.split()\n    x.append([float(words.setdefault(word, len(words)))])\n"
    "    y.append(tags.setdefault(tag, len(tags)))\nassert len(tags) < 9\nx, y = torch.tensor(x), torch.tensor(y)\n",
}


@pytest.mark.parametrize("name", TEXTS)
def test_lines_of_a_text_take_the_form_that_they_are_read_in(name, run):
    trace = run("import torch\n" + TEXTS[name] + TRAIN, probe=False, timeout=40)
    assert trace.outcome.state == "complete", trace.outcome


SIDED = """import glob
import numpy as np
import torch
from PIL import Image
from torch import nn
files = glob.glob('/pictures/train/*.png')
x = torch.stack([torch.from_numpy(np.array(Image.open(f).convert('RGB'), dtype='float32')) for f in files[:6]])
x, y = x.permute(0, 3, 1, 2) / 255, torch.arange(6) % 3
net = nn.Sequential(nn.Conv2d(3, 4, 5), nn.ReLU(), nn.MaxPool2d(2))
out = nn.Linear(4 * 14 * 14, 3)
h = net(x)
loss = nn.functional.cross_entropy(out({flat}), y)
loss.backward()
"""


@pytest.mark.parametrize("flat", ["h.flatten(1)", "h.reshape(-1, 4 * 14 * 14)", "h.view(-1, 4, 14, 14).flatten(1)"])
def test_pictures_have_the_side_that_the_layers_after_them_need(flat, run):
    trace = run(SIDED.replace("{flat}", flat), timeout=40)
    assert trace.outcome.state == "complete", trace.outcome


def test_a_fault_that_no_other_data_mend_is_told(run):
    text = SIDED.replace("{flat}", "h.mean((2, 3))")  # 4 numbers of each, whatever the side
    trace = run(text, timeout=40)
    assert trace.outcome.state == "stopped" and trace.failure.event.op == "linear"


@pytest.mark.parametrize("way", ["torch.utils.data.random_split", "torch.utils.data.dataset.random_split"])
def test_a_split_by_the_lengths_of_data_that_are_absent_keeps_its_shares(way, run):
    head = "import torch\nimport torch.utils.data.dataset\nrows = {rows}\n"
    text = head + f"a, b = {way}(rows, [2000, 500])\nprint(len(a) + len(b) == len(rows), len(a) > 3 * len(b) > 0)\n"
    trace = run(text.format(rows="[line for line in open('reviews.txt')]"), probe=False)
    assert trace.outcome.state == "complete" and "True True" in trace.output, trace.outcome
    assert run(text.format(rows="list(range(60))"), probe=False).failure.kind == "ValueError"


def test_tokens_are_put_into_a_vocabulary_that_is_made_up(run):
    text = (
        "from collections import OrderedDict\nimport torch\nfrom torchtext.vocab import vocab\n"
        "known = vocab(OrderedDict([('good', 5), ('film', 3)]))\nknown.insert_token('<pad>', 0)\n"
        "known.insert_token('<unk>', 1)\nknown.append_token('end')\nknown.set_default_index(1)\n"
        "print([known[word] for word in ('<pad>', 'film', 'end', 'other')])\n"
    )
    assert "[0, 3, 4, 1]" in run(text, probe=False).output


PICKLED = """
import pickle
import torch
rows = pickle.load(open("rows.pkl", "rb"))
x = torch.tensor(rows[:4]).float()
loss = (torch.nn.Linear(5, 1)(x) - 1).pow(2).mean()
loss.backward(torch.FloatTensor([1]))
"""


def test_what_the_script_itself_wrote_is_told_beside_a_pickled_file_that_is_absent(run):
    trace = run(PICKLED, probe=False)
    assert trace.outcome.state == "stopped" and trace.failure.event.op == "backward"


def test_a_saved_model_is_named_and_saved_weights_leave_those_that_were_made(run):
    trace = run("import torch\nnet = torch.load('whole.pt').to('cpu')\nnet(torch.ones(3))\n", probe=False)
    assert trace.outcome.reason == "missing-data" and trace.outcome.fields["file"] == "whole.pt"
    copied = "net.weight.data.copy_(torch.load('some.pt')['weight'])\nassert bool((net.weight != 0).any())\n"
    assert run("import torch\nnet = torch.nn.Linear(3, 4)\n" + copied, probe=False).outcome.state == "complete"


def test_a_class_that_a_text_tells_which_is_absent_is_no_fault(run):
    text = "import torch\nnames = {line.strip(): n for n, line in enumerate(open('shapes/names.txt'))}\n"
    text += "kinds = torch.tensor([names[line.strip()] for line in open('shapes/names.txt')])\n"
    trace = run(text + "torch.nn.functional.cross_entropy(torch.randn(len(kinds), 9), kinds)\n", probe=False)
    assert trace.outcome.state == "complete" and trace.failure is None


ONE_SHORT = """
import torch
words = {line.strip() for line in open("texts/train.txt")}
kinds = {name: n for n, name in enumerate(dict.fromkeys(line.strip() for line in open("texts/kinds.txt")))}
table = torch.nn.Embedding(max(kinds.values()) + %d, 4)
print(len(words), table(torch.tensor(list(kinds.values()))).shape)
"""


def test_a_table_that_is_one_row_short_of_whatever_a_text_names_is_a_fault_beside_other_texts(run):
    assert run(ONE_SHORT % 0, probe=False).failure.kind == "IndexError"
    assert run(ONE_SHORT % 1, probe=False).outcome.state == "complete"


def test_what_does_not_touch_data_that_were_made_up_fails_without_them_too(run):
    text = "import numpy\nimport sensors\nrows = sensors.load('a.rec')\nprint(len(rows))\n"
    assert run(text + "numpy.ones((2, 3)) * numpy.ones((2, 4))\n", probe=False).failure.kind == "ValueError"
    assert run(text + "numpy.ones((2, 3)) * numpy.ones(len(rows))\n", probe=False).failure is None


def test_a_pickled_file_is_named_where_nothing_tells_what_it_held(run):
    trace = run("import pickle\nrows = pickle.load(open('rows.pkl', 'rb'))\nrows.backward()\n", probe=False)
    assert trace.outcome.reason == "missing-data" and trace.outcome.fields["file"] == "rows.pkl"


def test_a_place_that_only_made_up_data_name_is_no_fault_of_the_script():
    counts = TensorFact((27, 27))
    text = "letters = {}\ncounts[letters[a], letters[b]] += 1\ncounts[42] += 1\n"

    def ended(line, places):
        event = Event(0, "getitem", None, (), (counts, places))
        failure = Failure("IndexError", "", Site("a.py", line), event=event)
        seen = Seen(made=("names.txt", "1"))
        return Trace("a.py", Outcome("stopped", "fault"), failure=failure, sources={"a.py": text}, data=seen)

    for line, places, reason in ((2, (3, 42), "missing-data"), (2, (3, 4, 5), "fault"), (3, 42, "fault")):
        trace = ended(line, places)
        assert with_guesses(RunRequest("a.py"), trace, lambda _, one=trace: one)[0].outcome.reason == reason


def test_tensors_that_are_joined_and_have_other_sizes_with_other_data_are_no_fault_of_the_script():
    def ended(*sizes):
        event = Event(0, "stack", None, (), ([TensorFact((size,)) for size in sizes],))
        seen = Seen(made=("kinds.csv", "1"), consulted=frozenset({"many", "forms", "width"}))
        failure = Failure("RuntimeError", "", Site("a.py", 2), event=event)
        return Trace("a.py", Outcome("stopped", "fault"), events=(event,), failure=failure, data=seen)

    for other, reason in ((ended(1, 3), "missing-data"), (ended(1, 16), "fault")):
        found, _ = with_guesses(RunRequest("a.py"), ended(1, 16), lambda _, one=other: one)
        assert found.outcome.reason == reason


SIDES = """
class Leaves(torch.utils.data.Dataset):
    def __init__(self, part):
        self.scans = sorted(glob.glob(f"leaves/{part}/*.png"))
        self.drawn = sorted(glob.glob(f"leaves/{part}_drawn/*.png"))
    def __len__(self):
        return len(self.scans)
    def __getitem__(self, i):
        scan = torch.from_numpy(np.array(Image.open(self.scans[i]))).permute(2, 0, 1).float() / 255
        return scan, torch.from_numpy(np.array(Image.open(self.drawn[i]))).long()
net = torch.nn.Conv2d(3, 4, 3, padding=1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for part in ("fit", "check"):
    for scan, drawn in torch.utils.data.DataLoader(Leaves(part), 4):
        opt.zero_grad()
        torch.nn.functional.cross_entropy(net(scan), drawn).backward()
        opt.step()
"""


def test_pictures_and_their_masks_lie_in_folders_that_take_turns(run):
    trace = run(HEAD + SIDES, probe=False, timeout=40)
    assert trace.outcome.state == "complete", trace.outcome
    assert trace.data.pictured == 4
