"""Libraries that are not installed: a logger, the older name of gymnasium, an environment without its engine, and any other:
what it is asked for beside tensors is passed over, what a tensor depends on names it."""

from __future__ import annotations

import json

from shapewright.checking import examine

SCRIPT = """
import abc
import json
import torch
facts = {}
import gymnasium as gym
import wandb
import gym as older

run = wandb.init(project="p", config={"lr": 0.5})
wandb.log({"loss": 1.0})
facts["lr"] = wandb.config.lr * 2
env = gym.make("CartPole-v1")
seen, _ = env.reset(seed=0)
facts["seen"], facts["answers"], facts["actions"] = list(seen.shape), len(env.step(env.action_space.sample())), int(env.action_space.n)
pole, lander = older.make("CartPole-v1"), older.make("LunarLander-v2")
pole.reset(), lander.reset()
facts["older"] = len(pole.step(0))
facts["limit"], facts["drawn"] = pole._max_episode_steps, type(pole.action_space.sample()).__name__
seen, reward, over, more = lander.step(1)
swing = older.make("Pendulum-v0")  # each step of which costs something
swing.reset()
facts["costs"] = [swing.step([0.5])[1] < 0, swing.spec.max_episode_steps, swing.spec.reward_threshold]
facts["made up"] = list(seen.shape)
try:
    import surely_not_installed
except ModuleNotFoundError as error:
    facts["prepared"] = str(error)
import nltk
words = [word for part in nltk.corpus.gutenberg.sents("a.txt") for word in part]
facts["nltk"] = len(words) > 1000 and nltk.word_tokenize("It is so.") == ["It", "is", "so", "."]
class Halved(older.ActionWrapper):
    def _action(self, action):
        return action // 2
facts["wrapped"] = [len(Halved(pole).step(1)), int(Halved(pole).action_space.n)]
game = gym.make("SeaquestNoFrameskip-v4")
facts["game"] = list(gym.wrappers.ResizeObservation(game, (84, 84)).reset()[0].shape)
import surely_not_installed
facts["version"] = surely_not_installed.__version__
from surely_not_installed.parts import Logger, trace

@trace
def kept():
    return 7

with Logger("x") as log:
    log.write(torch.zeros(2), step=1)
facts["kept"] = kept()
class Own(Logger, abc.ABC):
    pass
Logger.opened("y").close()
Own.opened("z").note = 3
from surely_not_installed.plots import show, clock
figure, (left, right) = show(torch.zeros(2))
facts["told"] = f"{clock() - clock():.1f}"
facts["refused"] = []
model = torch.nn.Linear(2, 2)
for use in (lambda: log(torch.zeros(2)).backward(), lambda: list(log.kinds(model)), lambda: Logger(x for x in "a").step(), lambda: list(trace.kinds)):
    try:
        use()
    except ModuleNotFoundError as error:
        facts["refused"].append(error.name)
print(json.dumps(facts))
"""

BARE = """
import json
import sys
import importlib.util
HIDDEN = ("gym", "gymnasium", "matplotlib", "pandas", "sklearn", "cv2", "accelerate", "scipy")
class Hidden:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        return None if path is None and name in HIDDEN else self.finder.find_spec(name, path, target)
sys.meta_path[1:] = [Hidden(finder) for finder in sys.meta_path[1:]]
import gym as older
import gymnasium as gym
import numpy as np
from gymnasium.wrappers import ClipAction, RecordEpisodeStatistics
facts = {"looked for": importlib.util.find_spec("surely_not_installed") is None}
def make():
    return ClipAction(RecordEpisodeStatistics(gym.make("Pendulum-v1", max_episode_steps=3)))
envs = gym.vector.SyncVectorEnv([make, make])
seen, _ = envs.reset(seed=1)
for _ in range(3):
    *given, more = envs.step(envs.action_space.sample())
facts["many"] = [seen.shape, *(part.shape for part in given)]
facts["ended"] = [one["episode"]["l"] for one in more["final_info"]]
class Own(gym.Env):
    observation_space, action_space = gym.spaces.Box(-1, 1, (3,)), gym.spaces.Discrete(2)
    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        return self.observation_space.sample(), {}
gym.register("Own-v0", entry_point=Own)
own = gym.make("Own-v0")
facts["own"] = [own.spec.id, own.reset()[0] in own.observation_space, own.action_space.contains(2)]
stack = gym.wrappers.FrameStack(gym.wrappers.ResizeObservation(gym.make("PongNoFrameskip-v4"), (84, 84)), 4)
facts["frames"] = [stack.reset()[0].shape, stack.observation_space.shape]
import matplotlib.pyplot as plt
import torch
figure, axes = plt.subplots(2, 3)
for axis, row in zip(axes.flat, torch.zeros(6, 4)):
    axis.imshow(row).set_clim(0, 1)
bins, edges, patches = plt.hist(torch.zeros(3))
import io
from PIL import Image
written = io.BytesIO()
plt.savefig(written, format="png")
figure.savefig(written, format="png")
facts["plots"] = [axes.shape, list(axes[0, 0]), Image.open(written).mode]
from surely_not_installed import rows
facts["no decorator"] = type(rows().astype(np.float32)).__name__
import accelerate
import cv2
import pandas as pd
import scipy.sparse as sp
from sklearn.datasets import load_iris, make_moons
from sklearn.metrics import accuracy_score
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import LabelEncoder, StandardScaler
table = pd.read_csv("absent.csv").dropna()
x, y = StandardScaler().fit_transform(table.iloc[:, :-1].values), LabelEncoder().fit_transform(table["kind"])
parts = train_test_split(torch.tensor(x).float(), torch.LongTensor(y), test_size=0.2)
facts["table"] = [part.shape for part in parts]
facts["masked"] = len(table[table["kind"] == "a"]) < len(table)
facts["rows"] = [len([type(row["price"]) for at, row in table.iterrows()]), type(table.iloc[3, 0]).__name__]
words = pd.DataFrame({"word": ["a", "b", "c"], "kind": ["x", "y", "x"]})
words["mark"] = [3, 4, 5]
part = words.iloc[:2, :]
facts["put"] = [part["mark"][1], part["word"][0], len(part)]
moons, halves = make_moons(n_samples=60)
facts["moons"] = [torch.from_numpy(moons).shape, make_moons(n_samples=8)[0].astype(np.float32).dtype.name, sorted(set(np.array(halves).tolist())), load_iris().data.shape]
score = accuracy_score(y, y)
facts["score"] = ["%.1f" % score, bool(score > 0), float(score)]
facts["sparse"] = np.array(sp.coo_matrix((x, (y, y)), shape=(7, 6)).todense()).shape
from scipy import sparse
links = sparse.coo_matrix((np.ones(4), ([0, 1, 1, 2], [1, 0, 2, 2])), shape=(3, 3), dtype=np.float32)
both = links + links.T.multiply(links.T > links) - links.multiply(links.T > links) + sparse.eye(3)
norm = sparse.diags(np.power(np.array(both.sum(1)), -1).flatten()).dot(both).tocoo()
facts["graph"] = [norm.todense().tolist()[1], norm.row.tolist(), (1, 2) in links.todok(), links.tocsr()[1].nnz]
import some_worlds
world = some_worlds.make("reach", seed=1)
try:
    world.action_space
except FileNotFoundError as error:
    facts["world"] = type(error).__name__
try:
    some_worlds.make("Pong-v5", stack=1).observation_space  # how it is shown there is not known
except FileNotFoundError as error:
    facts["shown"] = type(error).__name__
facts["picture"] = cv2.resize(np.zeros((9, 8, 3)), (4, 5))[:, :, ::-1].transpose(2, 0, 1).shape
facts["prepared"] = [type(part).__name__ for part in accelerate.Accelerator().prepare(torch.nn.Linear(2, 1), [1])]
older.logger.set_level(40)
pole = older.make("CartPole-v0")
pole.seed(1)
facts["older"] = [len(pole.reset()), len(pole.step(0)), pole.spec.reward_threshold > 0]
print(json.dumps(facts))
"""


def test_environments_where_gymnasium_is_not_installed(under_stand_ins):
    printed, notes = under_stand_ins(BARE)
    assert json.loads(printed.strip().splitlines()[-1]) == {
        "looked for": True,
        "many": [[2, 3], [2, 3], [2], [2], [2]],
        "ended": [3, 3],
        "own": ["Own-v0", True, False],
        "frames": [[4, 84, 84, 3], [4, 84, 84, 3]],
        "plots": [[2, 3], [], "RGB"],
        "no decorator": "ndarray",
        "table": [[82, 4], [21, 4], [82], [21]],
        "masked": True,
        "rows": [103, "int"],
        "put": [4, "a", 2],
        "moons": [[60, 2], "float32", [0, 1], [150, 4]],
        "score": ["0.5", True, 0.5],
        "sparse": [7, 6],
        "graph": [[1 / 3, 1 / 3, 1 / 3], [0, 0, 1, 1, 1, 2, 2], True, 2],
        "world": "AbsentEnvironment",
        "shown": "AbsentEnvironment",
        "picture": [3, 5, 4],
        "prepared": ["Linear", "list"],
        "older": [4, 4, True],
    }
    assert ["stand-in-module", {"module": "gymnasium"}] in [note[:2] for note in notes]


SCALED = """
import sys
class Hidden:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        return None if name.startswith("sklearn") else self.finder.find_spec(name, path, target)
sys.meta_path[1:] = [Hidden(finder) for finder in sys.meta_path[1:]]
import numpy as np
from sklearn.datasets import load_wine
from sklearn.preprocessing import LabelEncoder, MinMaxScaler, StandardScaler
rows = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 8.0]])
scaler, ranged = StandardScaler().fit(rows), MinMaxScaler(feature_range=(-1, 1))
print(scaler.mean_.tolist(), scaler.transform(rows).mean(0).round(6).tolist(), ranged.fit_transform(rows)[1].round(3))
print(np.allclose(ranged.inverse_transform(ranged.transform(rows)), rows))
held = StandardScaler().fit_transform(load_wine().data)
print(np.asarray(held).mean(0).round(6).any(), LabelEncoder().fit_transform(np.array(["b", "a"])))
"""


def test_scalers_compute_where_sklearn_is_not_installed(under_stand_ins):
    printed, _ = under_stand_ins(SCALED)
    assert printed.split("\n")[:3] == ["[2.0, 4.0] [0.0, 0.0] [ 0.    -0.429]", "True", "False [1 0]"]


DIGITS = """
import sys
class Hidden:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        return None if path is None and name == "pandas" else self.finder.find_spec(name, path, target)
sys.meta_path[1:] = [Hidden(finder) for finder in sys.meta_path[1:]]
import pandas as pd
digits = pd.read_csv("digits.csv", header=None)
title = "label = " + str(digits.iloc[0, 0])
print(digits.iloc[5, 1:].values.reshape(28, 28).shape, digits.iloc[60000, 0] in (0, 1))
"""


def test_rows_of_a_label_and_a_picture_where_pandas_is_not_installed(under_stand_ins):
    printed, _ = under_stand_ins(DIGITS)
    assert printed.strip().endswith("(28, 28) True")


def test_stand_ins_of_missing_libraries(under_stand_ins):
    printed, notes = under_stand_ins(SCRIPT)
    facts = json.loads(printed.strip().splitlines()[-1])
    assert facts["lr"] == 1.0
    assert facts["seen"] == [4] and facts["answers"] == 5 and facts["actions"] == 2
    assert facts["older"] == 4 and facts["made up"] == [8]
    assert facts["costs"] == [True, 200, None]
    assert facts["limit"] == 500 and facts["drawn"] == "int"
    assert facts["prepared"] == "No module named 'surely_not_installed'"
    assert facts["nltk"] and facts["wrapped"] == [4, 2] and facts["game"] == [84, 84, 3] and facts["version"] == "999.0"
    assert facts["told"] == "<surely_not_installed>"
    assert facts["kept"] == 7 and facts["refused"] == ["surely_not_installed"] * 4
    told = [fields["module"] for kind, fields, _ in notes if kind == "stand-in-module"]
    assert told[-1] == "surely_not_installed"


def test_a_name_that_a_library_gave_up_is_no_end_where_no_tensor_depends_on_it(resident, tmp_path):
    text = (
        "from scipy.misc import imread\nfrom tiktoken.load import load_tiktoken_bpe\nfrom torch.optim import Ranger\n"
    )
    used = "import torch\nnet = torch.nn.Linear(2, 1)\nRanger(net.parameters()).step()\n"
    (tmp_path / "a.py").write_text(text + "print(1)", encoding="utf-8")
    (tmp_path / "b.py").write_text(text + used, encoding="utf-8")
    trace, diagnosis = examine(str(tmp_path / "a.py"), resident=resident)
    assert diagnosis.outcome == "complete"
    assert [item.fields["name"] for item in trace.assumptions if item.kind == "name-absent"] == [
        "scipy.misc.imread",
        "torch.optim.Ranger",
    ]
    trace, _ = examine(str(tmp_path / "b.py"), resident=resident)
    assert trace.outcome.reason == "missing-module" and trace.outcome.fields["module"] == "torch.optim.Ranger"


def test_a_module_of_torch_s_own_is_no_name_that_it_gave_up(resident, tmp_path):
    text = "import torch\nfrom torch.optim import adam\nnet = torch.nn.Linear(2, 1)\n"
    (tmp_path / "a.py").write_text(text + "adam.Adam(net.parameters(), lr=0.1).zero_grad()", encoding="utf-8")
    trace, diagnosis = examine(str(tmp_path / "a.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not trace.assumptions


def test_a_grey_picture_gets_three_colours():
    import numpy

    from shapewright.run.stand_ins.handed_on import declared

    code = type("COLOR_GRAY2BGR", (), {})
    for grey in (numpy.zeros((6, 5)), numpy.zeros((6, 5, 1))):
        assert declared("cv2", "cvtColor")(grey, code).shape == (6, 5, 3)


def test_a_wrapper_of_which_nothing_is_known_leaves_the_environment_as_it_is(under_stand_ins):
    printed, notes = under_stand_ins(
        BARE.partition("import gym as older")[0]
        + "import gym, gymnasium\nfrom gym.wrappers import SurelyNew\nfrom gymnasium.wrappers import SurelyNewer\n"
        "gym.surely_old()\n"
        "old, new = SurelyNew(gym.make('CartPole-v1'), 4), SurelyNewer(gymnasium.make('CartPole-v1'), size=4)\n"
        "old.reset(), new.reset()\n"
        "print(len(old.step(0)), len(new.step(0)), old.observation_space.shape, hasattr(gymnasium.wrappers, 'new'))\n"
    )
    assert printed.strip().endswith("4 5 (4,) False"), printed
    assert ["stand-in-values", {"module": "gymnasium"}] in [note[:2] for note in notes]


def test_what_a_stand_in_lacks_may_be_named_where_the_script_does_not_do_without(resident, tmp_path):
    text = (
        "import torch, fire\nfrom fire.parts.of_it import Surely\nfrom fire import SurelyNew\n"
        "try:\n    old = fire.surely_old\nexcept AttributeError:\n    old = None\n"
        "print(Surely is None, SurelyNew is None, old, hasattr(fire, 'other'))\ntorch.nn.Linear(2, 1)(torch.ones(3, 2))\n"
    )
    (tmp_path / "a.py").write_text(text, encoding="utf-8")
    trace, diagnosis = examine(str(tmp_path / "a.py"), resident=resident)
    assert diagnosis.outcome == "complete", diagnosis.reason
    assert trace.output == "False False None False\n"


SETTINGS = '''"""Fits a line.

Usage:
    fit.py train --points=<file> [options]
    fit.py show [options] MODEL

Options:
    --points=<file>   the points.txt to fit
    --width=<n>       width of the layer [default: 6]
    --fast            fewer steps
"""
import torch
from addict import Dict
from docopt import docopt
from easydict import EasyDict as edict
from torchdiffeq import odeint_adjoint as odeint
from torchmetrics.functional import mean_squared_error
from yacs.config import CfgNode as CN

args = docopt(__doc__)
assert args["train"] and not args["show"] and not args["--fast"] and args["MODEL"] is None
assert args["--points"] == "points.txt"
node = CN()
node.NET = CN({"WIDTH": int(args["--width"])})
node.merge_from_list(["NET.DEPTH", "2"])
net, grown = edict({"sizes": {"width": node.clone().NET.WIDTH}}), Dict()
grown.optim.lr = 0.1 / node.NET.DEPTH

class Slope(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = torch.nn.Linear(width, width)

    def forward(self, t, state):
        return self.layer(state).tanh()

slope = Slope(net.sizes.width)
optimizer = torch.optim.SGD(slope.parameters(), lr=grown.optim.lr)
for _ in range(3):
    x, y = torch.randn(5, 6), torch.randn(5, 6)
    states = odeint(slope, x, torch.linspace(0, 1, 3), method="dopri5")
    assert states.shape == (3, 5, 6)
    loss = (states[-1] - y).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    assert torch.sqrt(mean_squared_error(states[-1].detach(), y)).shape == ()
'''


def test_settings_and_solvers_and_measures_whose_libraries_are_not_installed(resident, tmp_path):
    (tmp_path / "fit.py").write_text(SETTINGS, encoding="utf-8")
    trace, diagnosis = examine(str(tmp_path / "fit.py"), resident=resident)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, (diagnosis.reason, diagnosis.findings)
    assert ("--points", "points.txt") in [
        (one.fields["name"], one.fields["value"]) for one in trace.assumptions if one.kind == "argument-filled"
    ]
    assert {step.kind for step in trace.steps} >= {"backward", "step"}


def test_a_game_is_known_by_its_machine_and_through_wrappers_that_nothing_is_known_of(under_stand_ins):
    printed, _ = under_stand_ins(
        BARE.partition("import gym as older")[0] + "import gym\nfrom gym import surely_old\n"
        "game = surely_old.Monitor(gym.make('PongNoFrameskip-v0'), 'tmp')\n"
        "print(gym.envs.registry.spec('PongNoFrameskip-v0').entry_point, type(game.env).__name__, game.env.seed(3))\n"
        "class Own(gym.Wrapper):\n    def __init__(self, env):\n        self.env = env.env\n"
        "print(len(Own(gym.make('CartPole-v1')).env.step(0)), game.reset().shape, len(game.step(0)))\n"
        "import atari_py\nmachine = atari_py.ALEInterface()\nmachine.setInt('seed', 3)\n"
        "print(len(machine.getMinimalActionSet()), machine.getScreenGrayscale().shape, machine.act(0), game.ale.lives())\n"
    )
    told = "gym.envs.atari:AtariEnv Older [3]\n4 (210, 160, 3) 4\n6 (210, 160) 1.0 1"
    assert printed.strip().endswith(told), printed
