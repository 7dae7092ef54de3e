"""What is not installed or not there is made up as far as the script's use of it tells: environments that show
pictures, corpora with tags, sets of pictures whose library is absent, pages that nobody answers; and what its author
left to be written is told as that."""

from __future__ import annotations

from types import ModuleType

import pytest

from shapewright.checking import examine
from shapewright.run.record.assume import Assumptions
from shapewright.run.stand_ins.context import Context
from shapewright.run.stand_ins.patches import nltk__tokenize

PICTURED = """
import torch
from torch import nn
from surely_absent.wrappers import made, wrapped

class Player(nn.Module):
    def __init__(self, env):
        super().__init__()
        rows, columns, colors = env.observation_space.shape
        assert env.observation_space.low[0, 0, 0] == 0
        self.seen = nn.Sequential(nn.Conv2d(colors, 4, 8, stride=4), nn.ReLU(), nn.Flatten())
        with torch.no_grad():
            width = self.seen(torch.zeros(1, colors, rows, columns)).shape[1]
        self.value = nn.Linear(width, env.action_space.n)

    def forward(self, picture):
        return self.value(self.seen(picture))

env = wrapped(made("PongNoFrameskip-v4"), clip=True)
net = Player(env)
optimizer = torch.optim.Adam(net.parameters())
state = env.reset()
for step in range(40):
    picture = torch.as_tensor(state, dtype=torch.float).permute(2, 0, 1).unsqueeze(0)
    values = net(picture)
    state, reward, done, _ = env.step(values.argmax().item())
    loss = (values.max() - reward) ** 2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if done:
        state = env.reset()
"""
STATE = """
import gym
import numpy as np
import torch

env = gym.make("LunarLander-v2").unwrapped
env.reset()
net = torch.nn.Conv2d(3, 2, 3)
place = int(env.state[0] * 2 + 300)
screen = env.render().transpose((2, 0, 1))[:, 160:320]
wide = screen[:, :, max(place - 160, 0) : max(place - 160, 0) + 320]
net(torch.from_numpy(np.ascontiguousarray(wide, dtype=np.float32)).unsqueeze(0)).mean().backward()
"""
TAGGED = """
import nltk
import torch

rows = []
for sentence in nltk.corpus.conll2002.iob_sents():
    words, _, names = list(zip(*sentence))
    rows.append((words, names))
words = {word: at for at, word in enumerate(sorted({one for row in rows for one in row[0]}))}
names = {name: at for at, name in enumerate(sorted({one for row in rows for one in row[1]}))}
net = torch.nn.Sequential(torch.nn.Embedding(len(words), 8), torch.nn.Linear(8, len(names)))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for sentence, told in rows[:6]:
    scores = net(torch.tensor([words[one] for one in sentence]))
    loss = torch.nn.functional.cross_entropy(scores, torch.tensor([names[one] for one in told]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
FETCHED = """
import os
import urllib.request
from urllib.error import HTTPError
import torch

for name in ("net.ckpt", "logs/net.ckpt"):
    if not os.path.isfile(name):
        try:
            urllib.request.urlretrieve("https://example.org/" + name, name)
        except HTTPError as error:
            print("get it by hand:", error)
from IPython.display import HTML, clear_output, display
from ipywidgets import interact

@interact(width=(1, 4))
def show(width):
    display(HTML("<b>" * width))

net = torch.nn.Linear(4, 2)
for _ in range(3):
    clear_output(wait=True)
    net(torch.ones(3, 4)).sum().backward()
"""
SCENES = """
import torch
from torchvision import datasets, transforms

resize = transforms.Compose([transforms.Resize([16, 16]), transforms.ToTensor()])
data = datasets.LSUN("data", classes=["church_outdoor_train"], transform=resize)
for pictures, labels in torch.utils.data.DataLoader(data, batch_size=8):
    torch.nn.Conv2d(3, 2, 3)(pictures).mean().backward()
"""
TABLE = """
import sys

class Hidden:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        hidden = path is None and name in ("pandas", "scipy")
        return None if hidden else self.finder.find_spec(name, path, target)

sys.meta_path[1:] = [Hidden(finder) for finder in sys.meta_path[1:]]
import pandas as pd
import torch
from scipy.stats import zscore

df = pd.read_csv("people.csv")
df = pd.concat([df, pd.get_dummies(df["job"], prefix="job", dtype=int)], axis=1)
df.drop("job", axis=1, inplace=True)
df["income"] = df["income"].fillna(df["income"].median())
df["income"] = zscore(df["income"])
rooms = pd.read_csv("sales.csv")
rooms = rooms.groupby("rooms").apply(lambda part: part["price"].median())
rooms = rooms.reset_index(level=0)
rooms["sold"] = rooms.index
rooms.reset_index(inplace=True, drop=True)
assert len(rooms["sold"]) == len(rooms) > 0
df["age"] = zscore(df["age"])
names = df.columns.drop("product").drop("id")
x = df[names].values
bits = pd.get_dummies(df["product"])
y = bits.values
net = torch.nn.Linear(x.shape[1], len(bits.columns))
x, y = torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = torch.nn.functional.cross_entropy(net(x), y.argmax(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(tuple(x.shape), "job" in df, loss.ndim)
"""
GRAPH = """
import numpy as np
import torch
from scipy import sparse
from sklearn.preprocessing import normalize

links = sparse.csr_matrix((np.ones(4), ([0, 1, 2, 3], [1, 2, 3, 0])), shape=(4, 4))
for form in ("l1", "l2", "max"):
    rows = normalize(links + sparse.identity(4), norm=form, axis=1).tocoo()
    places = torch.LongTensor(np.vstack((rows.row, rows.col)))
    around = torch.sparse_coo_tensor(places, torch.FloatTensor(rows.data), rows.shape)
    dense = torch.tensor(normalize(np.arange(12.0).reshape(4, 3), norm=form), dtype=torch.float32)
    assert normalize(np.array([[3.0, 4.0]]))[0, 1] == 0.8
    torch.sparse.mm(around, torch.nn.Linear(3, 2)(dense)).sum().backward()
"""
PICKLED = """
import gzip
import pickle
import torch

with gzip.open("digits.pkl.gz", "rb") as file:
    (x, y), (held_x, held_y), _ = pickle.load(file, encoding="latin-1")
x, y, held_x, held_y = map(torch.tensor, (x, y, held_x, held_y))
w, b = (torch.randn(784, 10) / 28).requires_grad_(), torch.zeros(10, requires_grad=True)
for at in range(2):
    xb = x[at * 16 : at * 16 + 16]
    loss = (xb @ w + b).square().mean()
    loss.backward()
"""
PAIRS = """
import torch
from torch.autograd import Variable

rows = open("pairs.txt", encoding="utf-8").readlines()[:300]
pairs = []
for row in rows:
    one, other = row[:-1].split("\\t")
    pairs.append((one.split(), other.split()))
words = {word: at for at, word in enumerate(sorted({word for pair in pairs for part in pair for word in part}))}
net = torch.nn.Sequential(torch.nn.Embedding(len(words), 8), torch.nn.Linear(8, len(words)))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
losses = []
for one, other in pairs[:6]:
    size = min(len(one), len(other))
    given = Variable(torch.LongTensor([words[word] for word in one[:size]]))
    told = Variable(torch.LongTensor([words[word] for word in other[:size]]))
    loss = torch.nn.functional.cross_entropy(net(given), told)
    losses.append(loss.data.tolist()[0])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""
TABULAR = """
import numpy as np
import cudf as pd

df = pd.read_csv("ratings.csv")
big, small = df[df["amount"] > 0], df[~(df["amount"] > 0)]
assert len(big) and len(small) and len(big) + len(small) == len(df)
kept = df[df["user"].isin(df.groupby("user")["item"].count().index)]
codes = {user: at for at, user in enumerate(kept["user"].unique())}
df["user"] = df["user"].map(codes)
df["rank"] = df.groupby("user")["when"].rank(ascending=False)
held, rest = df[df["rank"] == 1], df[df["rank"] != 1]
assert 0 < held.shape[0] < len(df) and len(codes) == df["user"].nunique()
assert all(isinstance(user, int) for user in codes)
seen = [len(rows["item"].tolist()) for _, rows in df.groupby("user")]
assert sum(seen) == len(df) and len(df.groupby("user")["item"].apply(list)) == len(seen)
df["mean"] = df["item"].rolling(3).mean()
df["kind"] = np.arange(len(df)) % 3
df["one"] = 1
train = df["kind"].astype(int)[:80]
assert train.values.shape == (len(train),) and set(train.unique()) == {0, 1, 2} and df["one"].values.max() == 1
numbers = df.drop(columns=["kind"])
assert ((numbers - numbers.mean()) / numbers.std()).values.shape == numbers.values.shape
made = pd.DataFrame(np.ones((4, 2)), columns=["a", "b"])
assert made["a"].values.shape == (4,) and made.pop("b").sum() == 4
"""


@pytest.mark.parametrize("text", [PICTURED, STATE, TAGGED, FETCHED, SCENES, GRAPH, PICKLED, PAIRS])
def test_it_is_made_up_and_the_script_is_checked_to_its_end(text, resident, tmp_path):
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    trace, diagnosis = examine(str(tmp_path / "a.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, (diagnosis.reason, diagnosis.findings)
    assert trace.assumptions or text is GRAPH  # whose libraries may be there


def test_tables_are_merged_where_pandas_is_not_installed(under_stand_ins):
    printed, _ = under_stand_ins(TABLE)
    shape, _, rest = printed.strip().partition(") ")
    assert shape.startswith("(103, ") and rest == "False 0", printed


def test_tables_are_read_chosen_from_grouped_and_divided(under_stand_ins):
    under_stand_ins(TABULAR)  # which asserts


def test_what_a_script_requires_by_a_function_of_a_library_s_is_there(under_stand_ins):
    printed, _ = under_stand_ins(
        "from transformers.utils.versions import require_version\nimport surely_absent\n"
        'require_version("surely_absent>=1.8.0", "pip install it")\n'
        "try:\n    require_version('surely_other')\nexcept ImportError:\n    print('told')\n"
    )
    assert printed.strip() == "told"


def test_what_its_author_left_to_be_written_is_no_want_of_a_library(resident, tmp_path):
    text = (
        "import torch\nfrom surely_absent import moons\nx, y = moons(200)\n"
        "def forward(x):\n    raise NotImplementedError()\nforward(torch.tensor(x))\n"
    )
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    _, diagnosis = examine(str(tmp_path / "a.py"), resident=resident)
    assert diagnosis.outcome == "incomplete" and "NotImplementedError" in diagnosis.reason, diagnosis.reason


def test_nltk_divides_a_text_where_its_own_models_are_absent(tmp_path):
    module = ModuleType("nltk.tokenize")

    def refused(text, language="english"):
        raise LookupError("Resource punkt not found.")

    module.word_tokenize, module.sent_tokenize = refused, lambda text: [text]
    nltk__tokenize.patch(module, Context(Assumptions(), str(tmp_path), str, "script.py"))
    assert module.word_tokenize("Stones stay, though!", "english") == ["Stones", "stay", ",", "though", "!"]
    assert module.sent_tokenize("One. Two.") == ["One. Two."]
