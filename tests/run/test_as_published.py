"""What usually stops a published script on a machine that has torch alone, and does not stop its check."""

import textwrap

import pytest

from shapewright.run.process.request import RunRequest

HIDING = """
import sys
class Hidden:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        return None if path is None and name in HIDDEN else self.finder.find_spec(name, path, target)
sys.meta_path[:] = [one if type(one).__module__.startswith("shapewright") else Hidden(one) for one in sys.meta_path]
for name in [one for one in sys.modules if one.split(".")[0] in HIDDEN]:
    del sys.modules[name]
"""


def without(names, text):
    """A script as it is run where the modules of these names are not installed."""
    return f"HIDDEN = {names!r}{HIDING}{textwrap.dedent(text)}"


def test_requests_answers_as_urllib_does(run):
    trace = run(
        without(
            ["requests"],
            """
            import os, zipfile, requests, torch
            def fetched(address, name):
                answer = requests.get(address, stream=True, verify=True)
                with open(name, "wb") as file:
                    file.write(answer.content)
                return name
            with open(fetched("https://example.org/words.txt", "words.txt")) as file:
                words = file.read().split()
            zipfile.ZipFile(fetched("https://example.org/all.zip", "all.zip")).extractall("all")
            session = requests.Session()
            session.headers["agent"] = "me"
            rows = session.get("https://example.org/rows.json").json()
            try:
                requests.post("https://example.org/told", json={"loss": 1.0})
            except requests.exceptions.RequestException:
                raise SystemExit("not told")
            print(torch.zeros(len(words), len(rows)).shape)
            """,
        )
    )
    assert trace.outcome.state == "complete", trace.outcome
    told = {item.fields["file"] for item in trace.assumptions if item.kind == "stand-in-file"}
    assert {"https://example.org/words.txt", "https://example.org/rows.json"} <= told


def test_a_type_put_into_the_space_of_a_made_up_environment_is_no_end(run):
    trace = run(
        """
import gymnasium as gym, numpy as np, torch
env = gym.make("Hopper-v4")
env.observation_space.dtype = np.float32
seen, _ = env.reset(seed=1)
print(torch.from_numpy(seen).shape, torch.from_numpy(env.step(env.action_space.sample())[0]).shape)
"""
    )
    assert trace.outcome.state == "complete", trace.outcome


def test_numbers_made_of_tensors_reach_the_trace(run):
    """`sum(same) / float(count)` over arrays is a number of numpy's: of a kind of ours where it came of a tensor."""
    trace = run(
        """
import torch
net, x = torch.nn.Linear(3, 2), torch.randn(100, 3)
same = net(x).max(1)[1].data.numpy().squeeze() == torch.zeros(100, dtype=torch.long).numpy()
for step in range(3):
    accuracy = sum(same) / float(same.size)
    print("%.2f" % net(x).mean().data[0], accuracy)
"""
    )
    assert trace.outcome.state == "stopped", trace.outcome


def test_what_an_address_of_unknown_form_holds_is_made_up_where_it_is_read(run):
    trace = run(
        without(
            ["requests"],
            """
            import os, requests, urllib.request, numpy as np, torch
            def fetched(address, name):
                with open(name, "wb") as file:
                    file.write(requests.get(address, stream=True).content)
                return name
            data = np.genfromtxt(fetched("https://example.org/noise.dat", "noise.dat"), dtype=np.float32, delimiter="\t")
            urllib.request.urlretrieve("https://example.org/kept.npy", "kept.npy")
            print(torch.from_numpy(data[:50, :-1]).shape, torch.from_numpy(np.load("kept.npy")).shape)
            """,
        )
    )
    assert trace.outcome.state == "complete", trace.outcome


def test_a_file_of_unknown_ending_that_is_read_as_text_is_text(run):
    trace = run(
        """
import torch
with open("corpus/wiki.train.tokens", "r", encoding="utf-8") as file:
    words = [line.split() for line in file.readlines()]
print(torch.zeros(len(words)).shape)
"""
    )
    assert trace.outcome.state == "complete" and len(trace.assumptions) == 1, trace.outcome


def test_a_tensor_of_nothing_that_was_made_of_made_up_data_is_no_fault(run):
    """The lines that the script keeps have a form that nothing tells."""
    trace = run(
        """
import torch
pairs = []
for line in open("pairs.txt"):
    parts = line.split("@@")
    if len(parts) == 7:
        pairs.append([len(part) for part in parts])
lengths = torch.tensor(pairs)
print(lengths.sum(1))
"""
    )
    assert (trace.outcome.state, trace.outcome.reason) == ("incomplete", "missing-data"), trace.outcome
    assert trace.failure is None


def test_a_try_whose_handlers_all_raise_is_not_prepared_for_an_absent_module(run):
    trace = run(
        """
try:
    import surely_not_installed as viz
except ImportError:
    raise ModuleNotFoundError("Please install it")
import torch
viz.show(1)
print(torch.ones(2).sum())
"""
    )
    assert trace.outcome.state == "complete", trace.outcome


TRAINED = """
import torch
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.randn(64, 4), torch.randn(64, 1)
for epoch in range(3000):
    loss = torch.nn.functional.mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    measure = loss.item()
"""


def test_how_far_a_cut_training_came_is_not_held_against_an_assertion(run):
    trace = run(TRAINED + "assert measure < 1e-9, measure\nassert 0 < loss < 1e-9\nprint(net(x).shape)\n")
    assert trace.outcome.state == "complete", trace.outcome
    assert [item.kind for item in trace.assumptions].count("passed-over") == 2


def test_an_assertion_about_counts_or_without_a_number_still_ends_the_script(run):
    for test in ("len(x) == 3", "x.shape[0] < 5", "count < 0"):
        trace = run(TRAINED + f"count = 5\nassert {test}\n")
        assert trace.outcome.state != "complete", (test, trace.outcome)


def test_files_of_packages_are_told_from_libraries_wherever_the_working_folder_is(run, tmp_path):
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "reading.py").write_text("def lines():\n    return open('words.txt').read().split()\n")
    trace = run("from .reading import lines\nimport torch\nprint(torch.zeros(len(lines())))\n")
    assert trace.outcome.state == "complete", trace.outcome


def test_an_assertion_that_a_file_is_there_is_passed_over_and_told(run):
    trace = run(
        """
import os, torch
from pathlib import Path
class Corpus:
    def __init__(self, folder):
        self.path = os.path.join(folder, "train.txt")
        assert os.path.exists(self.path), self.path
        with open(self.path) as file:
            self.ids = torch.tensor([len(word) for line in file for word in line.split()])
assert not Path("old").exists()
print(torch.nn.Embedding(99, 4)(Corpus("data/words").ids[:20]).shape)
"""
    )
    assert trace.outcome.state == "complete", trace.outcome
    (told,) = [item for item in trace.assumptions if item.kind == "file-expected"]
    assert told.fields["file"] == "data/words/train.txt" and told.site.line == 7


EXPECTED = {
    "words/train.txt": "import torch\nfrom os.path import exists, join\nfile = join('words', 'train.txt')\nif not exists(file):\n"
    "    raise ValueError(f'{file} is missing')\nwords = open(file).read().split()\n",
    "./news.txt": "import os, torch\nassert 'news.txt' in os.listdir('.')\nwords = open('./news.txt').read().split()\n",
}


@pytest.mark.parametrize(("file", "line"), [("words/train.txt", 4), ("./news.txt", 2)])
def test_a_check_by_an_imported_function_or_a_listing_that_a_file_is_there_is_passed_over_too(file, line, run):
    shown = "print(torch.nn.Embedding(99, 4)(torch.tensor([len(word) for word in words[:20]])).shape)\n"
    trace = run(EXPECTED[file] + shown)
    assert trace.outcome.state == "complete", trace.outcome
    (told,) = [item for item in trace.assumptions if item.kind == "file-expected"]
    assert told.fields["file"] == file and told.site.line == line


def test_a_function_of_the_script_that_is_called_as_a_check_of_files_answers_itself(run):
    trace = run(
        "import torch\ndef exists(value):\n    return value is not None\ndef masked(x, mask=None):\n"
        "    if not exists(mask):\n        raise ValueError('a mask is needed')\n    return x * mask\n"
        "masked(torch.ones(3))\n"
    )
    assert trace.outcome.state != "complete" and not trace.assumptions


def test_a_method_of_a_class_that_is_not_there_names_its_module(run):
    trace = run(
        "import torch\nfrom surely_not_installed import Settings\nclass Own(Settings):\n"
        "    def merge(self, given):\n        return super().merge(given)\nOwn().merge([1])\n"
    )
    assert trace.outcome.reason == "missing-module" and trace.outcome.fields["module"] == "surely_not_installed"


def test_an_asserted_file_of_unknown_form_is_named_where_it_is_read(run):
    trace = run(
        "import os, torch\nassert os.path.isfile('a.unknown')\nprint(torch.zeros(3), open('a.unknown').read())\n"
    )
    assert trace.outcome.reason == "missing-data" and trace.outcome.fields["file"] == "a.unknown"


def test_an_asserted_accelerator_does_not_hide_what_is_missing_after_it(run):
    trace = run(
        "import torch\nassert torch.cuda.is_available()\nprint(torch.zeros(3).cuda())\nopen('a.unknown').read()\n"
    )
    assert trace.outcome.reason == "missing-data" and trace.outcome.fields["file"] == "a.unknown"


def test_names_that_moved_within_python_are_read_as_their_present_ones(run):
    trace = run("import collections, torch\nprint(isinstance([1], collections.Iterable), torch.zeros(3))\n")
    assert trace.outcome.state == "complete", trace.outcome
    (told,) = [item for item in trace.assumptions if item.kind == "old-interface"]
    assert told.fields["new"] == "collections.abc.Iterable"


def test_a_writer_of_an_absent_library_that_the_script_names_too(run):
    trace = run(
        without(
            ["tensorboard", "unidecode"],
            """
            import tensorboard, torch
            from torch.utils.tensorboard import SummaryWriter
            from unidecode import unidecode
            writer = SummaryWriter("runs")
            writer.add_scalar("x", 1.0, 0)
            text = unidecode(open("poems.txt").read())
            print(tensorboard.__version__, torch.tensor([ord(letter) for letter in text[:9]]))
            """,
        )
    )
    assert trace.outcome.state == "complete", trace.outcome


def test_what_a_stand_in_lacks_names_its_library(run):
    trace = run(
        without(["torchtext"], "import torch\nfrom torchtext import datasets\ndatasets.IMDB.surely_absent('./')\n")
    )
    assert trace.outcome.reason == "missing-module" and trace.outcome.fields["module"] == "torchtext"


def test_wrappers_of_old_environments_keep_their_interface(run):
    trace = run(
        without(
            ["gym", "gymnasium"],
            """
            import gym, numpy as np, torch
            env = gym.make("Hopper-v2")
            env = gym.wrappers.RecordEpisodeStatistics(env)
            env = gym.wrappers.NormalizeObservation(env)
            env = gym.wrappers.TransformObservation(env, lambda seen: np.clip(seen, -10, 10))
            env.seed(1)
            seen = env.reset()
            for _ in range(3):
                seen, reward, done, info = env.step(env.action_space.sample())
            print(torch.from_numpy(seen).float().shape)
            """,
        )
    )
    assert trace.outcome.state == "complete", trace.outcome


def test_a_made_up_table_reaches_beyond_the_rows_that_the_script_cuts_off(run):
    text = without(
        ["sklearn"],
        """
        import torch
        from sklearn.datasets import load_digits
        class Digits(torch.utils.data.Dataset):
            def __init__(self, first, last):
                self.rows = load_digits().data[first:last]
            def __len__(self):
                return len(self.rows)
            def __getitem__(self, at):
                return torch.from_numpy(self.rows[at]).float()
        net, count = torch.nn.Linear(64, 1), 0.0
        cut = load_digits().data[1300:1600]
        for batch in torch.utils.data.DataLoader(Digits(1300, 1600), batch_size=64):
            count += len(batch)
            total = net(batch).sum().item()
        print(total / count, torch.from_numpy(cut).shape)
        """,
    )
    trace = run(text)
    assert trace.outcome.state == "complete", trace.outcome
    assert "torch.Size([300, 64])" in trace.output


def test_relative_imports_that_lead_beyond_the_outermost_package(run):
    files = {
        "models/__init__.py": "from .net import Net\n",
        "models/net.py": "import torch\nfrom ..helpers import width\nclass Net(torch.nn.Linear):\n"
        "    def __init__(self):\n        super().__init__(width(), 1)\n",
        "helpers/__init__.py": "def width():\n    return 3\n",
        "setup.cfg": "",
    }
    trace = run("import torch\nfrom models import Net\nprint(Net()(torch.randn(4, 3)).shape)\n", files=files)
    assert trace.outcome.state == "complete", trace.outcome
    (told,) = [item for item in trace.assumptions if item.kind == "import-path"]
    assert told.fields["module"] == "..helpers"
    files["models/net.py"] = files["models/net.py"].replace("..helpers", "..nowhere")
    trace = run("import torch\nfrom models import Net\nprint(Net())\n", files=files)
    assert trace.outcome.state == "incomplete" and trace.outcome.fields["type"] == "ImportError"


def test_a_module_that_has_its_package_s_name(resident, tmp_path):
    folder = tmp_path / "vision"
    folder.mkdir()
    (folder / "__init__.py").write_text("from vision.vision import Net\n")
    (folder / "layers.py").write_text("import torch\nInner = torch.nn.Linear\n")
    text = "import torch\nfrom vision.layers import Inner\nNet = Inner\n"
    (folder / "vision.py").write_text(text + "if __name__ == '__main__':\n    print(Net(3, 1)(torch.randn(4, 3)))\n")
    trace = resident.run(RunRequest(str(folder / "vision.py"), timeout=20, cwd=str(tmp_path)))
    assert trace.outcome.state == "complete", trace.outcome
    assert [item.fields["module"] for item in trace.assumptions if item.kind == "run-as-module"] == ["vision.vision"]


def test_a_part_of_a_package_that_has_the_whole_package_s_name(resident, tmp_path):
    inner = tmp_path / "speech" / "models"
    inner.mkdir(parents=True)
    for folder in (tmp_path / "speech", inner):
        (folder / "__init__.py").write_text("")
    (tmp_path / "speech" / "sizes.py").write_text("width = 3\n")
    (inner / "speech.py").write_text(
        "import torch\nfrom speech.sizes import width\nprint(torch.nn.Linear(width, 1)(torch.randn(4, 3)).shape)\n"
    )
    trace = resident.run(RunRequest(str(inner / "speech.py"), timeout=20, cwd=str(tmp_path)))
    assert trace.outcome.state == "complete", trace.outcome


def test_the_folder_that_holds_all_that_is_imported_comes_first(resident, tmp_path):
    inner = tmp_path / "task" / "kinds"
    inner.mkdir(parents=True)
    (tmp_path / "setup.cfg").write_text("")
    (tmp_path / "task" / "task.py").write_text("raise RuntimeError('not this one')\n")
    (inner / "plain.py").write_text("import torch\nPlain = torch.nn.Linear\n")
    (inner / "wide.py").write_text(
        "import torch\nfrom task.kinds.plain import Plain\nprint(Plain(3, 9)(torch.ones(2, 3)))\n"
    )
    trace = resident.run(RunRequest(str(inner / "wide.py"), timeout=20, cwd=str(tmp_path)))
    assert trace.outcome.state == "complete", trace.outcome


TRANSITIONS = """
import numpy as np, torch
rows = [({first}, 1, 0.5, np.zeros((1, 4)), False) for _ in range(6)]
columns = np.array(rows).transpose()
print(torch.nn.Linear(4, 2)(torch.Tensor(np.vstack(columns[0]))).shape)
"""


def test_transitions_in_one_array_are_objects_as_they_once_were(run):
    trace = run(TRANSITIONS.format(first="np.ones((1, 4))"))
    assert trace.outcome.state == "complete", trace.outcome
    assert [item.fields["new"] for item in trace.assumptions] == ["np.array(x, dtype=object)"]
    trace = run("import numpy as np, torch\nprint(torch.tensor(np.array([[1.0, 2.0, 3.0], [4.0]])))\n")
    assert trace.outcome.state != "complete"


SENTENCES = """
import numpy as np, torch
lines = [line.split() for line in open("spoken.txt")]
known = {word: at for at, word in enumerate(sorted({word for line in lines for word in line}))}
rows = np.array([[known[word] for word in line] for line in lines])
bag = torch.nn.EmbeddingBag(len(known), 4)
print([bag(torch.tensor([row])).shape for row in rows[:9] if len(row)])
"""


def test_sentences_that_were_made_up_are_of_several_lengths_as_they_once_might_be(run):
    trace = run(SENTENCES)
    assert trace.outcome.state == "complete", trace.outcome
    assert "np.array([[a], [b, c]], dtype=object)" in [item.fields.get("new") for item in trace.assumptions]


def test_a_script_that_goes_on_asking_its_reader_has_come_to_its_end(run):
    text = "import torch\nnet = torch.nn.Linear(3, 1)\nnet(torch.randn(4, 3))\n{}"
    trace = run(
        text.format("while True:\n    if input('more? ') == 'no':\n        break\n    net(torch.randn(1, 3))\n")
    )
    assert trace.outcome.state == "complete", trace.outcome
    assert [item.kind for item in trace.assumptions] == ["input-answered", "input-empty"]
    trace = run(text.format("while not input('ready? '):\n    pass\nnet(torch.randn(4, 5))\n"))
    assert trace.outcome.state == "stopped" and trace.failure.site.line == 6
    trace = run(text.format("while input('ready? ') != 'yes':\n    pass\nnet(torch.randn(4, 5))\n"))
    assert trace.outcome.state == "incomplete" and trace.outcome.fields["type"] == "EOFError"


def test_made_up_rows_and_labels_are_collated(run):
    text = without(
        ["sklearn"],
        """
        import torch
        from sklearn.datasets import load_digits
        digits = load_digits()
        class Digits(torch.utils.data.Dataset):
            def __init__(self):
                self.rows, self.targets = digits.data[:40], digits.target[:40]
            def __len__(self):
                return len(self.rows)
            def __getitem__(self, at):
                return self.rows[at], self.targets[at]
        for rows, targets in torch.utils.data.DataLoader(Digits(), batch_size=16):
            loss = torch.nn.functional.cross_entropy(torch.nn.Linear(64, 10)(rows.float()), targets)
        print(rows.shape, targets.shape, targets.dtype)
        """,
    )
    trace = run(text)
    assert trace.outcome.state == "complete", trace.outcome
    assert "torch.Size([8, 64]) torch.Size([8]) torch.int64" in trace.output


DRAWN_BY_HAND = """
import torch
from torch.utils.data import DataLoader, TensorDataset
loader = DataLoader(TensorDataset(torch.randn(90, 3)), batch_size=8)
critic = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(critic.parameters(), lr=0.1)
for epoch in range(3):
    batches, seen = iter(loader), 0
    while seen < len(loader):
        turns = 0
        while turns < 5 and seen < len(loader):
            turns, seen = turns + 1, seen + 1
            (x,) = next(batches)
            opt.zero_grad()
            critic(x).pow(2).mean().backward()
            opt.step()
"""


def test_batches_that_loops_draw_by_hand_do_not_end_before_their_time(run):
    trace = run(DRAWN_BY_HAND)
    assert trace.outcome.state == "complete", trace.outcome
    assert sorted(trace.data.batch_sizes) == [2, 8]  # the smaller last one is among them
    trace = run(DRAWN_BY_HAND.replace("seen < len(loader)", "seen <= len(loader)"), whole=True)
    assert trace.outcome.reason == "exception-mute", trace.outcome


def test_a_module_whose_constructor_begins_by_itself_is_built(run):
    trace = run(
        "import torch\nfrom torch import nn\nclass Net(nn.Module):\n    def __init__(self, n):\n"
        "        width = n * 2\n        nn.Module.__init__(self)\n        self.fc = nn.Linear(n, width)\n"
        "print(Net(3).fc(torch.ones(2, 3)).shape)\n"
    )
    assert trace.outcome.state == "complete", trace.outcome


EXPORTED = """
import torch
from torch import nn
net = nn.Sequential(nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.Flatten(), nn.Linear(4 * 36, 2))
optimizer = torch.optim.SGD(net.parameters(), 0.1)
for step in range(4):
    optimizer.zero_grad()
    net(torch.randn(8, 1, 8, 8)).pow(2).mean().backward()
    optimizer.step()
torch.onnx.export(net, torch.randn(1, 1, {side}, 8), "net.onnx", input_names=["picture"])
print(net.training)
"""


def test_an_export_whose_library_is_absent_calls_the_model_alone(run):
    trace = run(without(["onnx", "onnxscript"], EXPORTED.format(side=8)))
    assert trace.outcome.state == "complete" and "True" in trace.output, trace.outcome
    assert any(item.kind == "stand-in-module" and "onnx" in item.fields["module"] for item in trace.assumptions)
    trace = run(without(["onnx", "onnxscript"], EXPORTED.format(side=9)))
    assert trace.outcome.state == "stopped", trace.outcome


WORDS = """
from collections import Counter

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

PAD, START, END = "<pad>", "<s>", "</s>"


class Words(Dataset):
    def __init__(self, path):
        frame = pd.read_csv(path, names=["word", "kind"], sep="\\t")
        counts = frame.kind.value_counts().to_dict()
        ordered = [count for _, count in sorted(counts.items(), key=lambda pair: pair[0])]
        self.weights = 1.0 / torch.tensor(ordered, dtype=torch.float32)
        frame["letters"] = frame.word.apply(list)
        often = Counter(letter for letters in frame.letters.tolist() for letter in letters)
        frame.loc[:, "letters"] = [START] + frame.letters + [END]
        self.index = {letter: number for number, letter in enumerate([PAD, START, END, *often])}
        frame["ids"] = frame.letters.apply(lambda letters: [self.index[letter] for letter in letters])
        frame = frame[frame.letters.apply(lambda letters: len(letters) > 2)]
        self.rows = list(zip(frame.ids, frame["word"].str.lower()))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at):
        ids, word = self.rows[at]
        seen = np.zeros(len(self.index), dtype=np.float32)
        seen[ids] = 1
        return seen, len(word) % 2


data = Words("words.tsv")
net = nn.Sequential(nn.Linear(len(data.index), 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(3):
    for seen, odd in DataLoader(data, batch_size=8, shuffle=True):
        loss = nn.functional.cross_entropy(net(seen), odd)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(len(data.weights))
"""


def test_a_table_of_words_is_counted_and_mapped(run):
    trace = run(WORDS.replace("import pandas as pd", "import surely_absent as pd"))
    assert trace.outcome.state == "complete", trace.outcome
    assert any(step.kind == "step" for step in trace.steps)


def test_a_table_that_is_split_keeps_its_columns_and_takes_several_at_once(run):
    text = without(
        ["pandas", "sklearn"],
        """
        import pandas as pd, torch
        from sklearn.model_selection import *
        from sklearn.preprocessing import *
        table = pd.read_csv("clicks.csv")
        words, numbers = ["site", "ad"], ["age", "price"]
        for name in words:
            table[name] = LabelEncoder().fit_transform(table[name])
        table[numbers] = MinMaxScaler().fit_transform(table[numbers])
        counts = [int(table[name].max()) + 1 for name in words]
        train, test = train_test_split(table, test_size=0.2)
        print([torch.tensor(train[name].values).shape for name in words + numbers], counts, len(train) > len(test))
        """,
    )
    trace = run(text)
    assert trace.outcome.state == "complete", trace.outcome
    assert trace.output.count("torch.Size") == 4 and "True" in trace.output


def test_missing_numbers_of_a_table_are_numbers(run):
    text = without(
        ["pandas"],
        """
        import pandas as pd, torch
        table = pd.read_csv("own.csv").fillna(0)
        print(torch.tensor(table["price"].values).tolist())
        """,
    )
    trace = run(text, files={"own.csv": "price,name\n1.5,a\n,b\n"})
    assert trace.outcome.state == "complete" and "[1.5, 0.0]" in trace.output, trace.outcome


def test_rows_of_a_text_are_as_wide_as_the_script_views_them(run):
    text = """
import numpy, torch
def table(lines):
    return numpy.array([[int(part) for part in line.split()] for line in lines]).astype("float32")
with open("pictures.amat") as file:
    rows = torch.from_numpy(table(file.readlines()))
for batch in torch.utils.data.DataLoader(torch.utils.data.TensorDataset(rows), batch_size=20):
    seen = batch[0].view(-1, *[1, 28, 28])
    torch.nn.functional.binary_cross_entropy(torch.sigmoid(torch.nn.Conv2d(1, 1, 3, padding=1)(seen)), seen).backward()
"""
    trace = run(text, probe=False)
    assert trace.outcome.state == "complete", trace.outcome


def test_what_is_set_is_had(run):
    text = without(
        ["keras"],
        """
        import torch
        from keras.callbacks import CallbackList
        net, calls = torch.nn.Linear(2, 1), CallbackList([])
        calls.set_model(net)
        calls.model.stop = False
        net(torch.ones(3, 2)).sum().backward()
        print(net.stop)
        """,
    )
    trace = run(text)
    assert trace.outcome.state == "complete" and "False" in trace.output, trace.outcome


def test_a_name_comes_from_the_folder_whose_module_has_it(run):
    files = {
        "src/loading/__init__.py": "",
        "src/loading/loading.py": "import torch\ndef batch():\n    return torch.randn(4, 3)\n",
        "src/nets/__init__.py": "",
        "src/nets/nets.py": "from loading import batch\nimport torch\nclass Net(torch.nn.Linear):\n    pass\n",
        "setup.cfg": "",
    }
    trace = run("from loading import batch\nfrom nets import Net\nprint(Net(3, 1)(batch()).shape)\n", files=files)
    assert trace.outcome.state == "complete", trace.outcome
    assert "torch.Size([4, 1])" in trace.output
