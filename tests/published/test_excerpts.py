"""Pasted fragments: what can be checked is, what is missing is said, and none of which nothing ran ends with 0."""

import pytest

from shapewright.checking import examine

RUN = {  # what is missing is an import
    "imports": "x = torch.randn(4, 3)\nnet = nn.Linear(3, 2)\nprint(F.relu(net(x)).shape)\n",
    "indented": "    x = torch.randn(4, 3)\n    for _ in range(3):\n        y = nn.Linear(3, 2)(x)\n",
    "numpy": "x = torch.from_numpy(np.zeros((4, 3), dtype=np.float32))\nnn.Linear(3, 2)(x)\n",
    "loader": "data = TensorDataset(torch.randn(9, 3), torch.randn(9, 2))\nfor x, y in DataLoader(data, 4):\n"
    "    F.mse_loss(nn.Linear(3, 2)(x), y).backward()\n",
    "class": "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.fc = nn.Linear(5, 2)\n"
    "    def forward(self, x):\n        return self.fc(x)\n",
    "pictures": "import torch.nn as nn\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.conv = nn.Conv2d(3, 8, 3)\n        self.fc = nn.Linear(8 * 26 * 26, 10)\n    def forward(self, x):\n"
    "        return self.fc(self.conv(x).flatten(1))\n",
    "tokens": "class Tagger(nn.Module):\n    def __init__(self, size=50):\n        super().__init__()\n"
    "        self.embed = nn.Embedding(size, 8)\n        self.rnn = nn.LSTM(8, 6, batch_first=True)\n"
    "        self.out = nn.Linear(6, 3)\n    def forward(self, x):\n        return self.out(self.rnn(self.embed(x))[0])\n",
}
MISSING = {  # what is missing only its author knows
    "model": ("out = model(torch.randn(2, 3))\n", "model"),
    "loop": ("for x, y in train_loader:\n    loss = criterion(model(x), y)\n", "train_loader"),
    "indented loop": ("    optimizer.zero_grad()\n    loss.backward()\n", "optimizer"),
    "function": ("import torch\ndef f(x):\n    return layer(x)\nf(torch.zeros(2))\n", "layer"),
    "method": ("def forward(self, x):\n    return self.fc(x)\nforward(net, torch.zeros(2, 3))\n", "net"),
}
NOTHING = {
    "sizes": "class Net(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n        self.fc = nn.Linear(width, 2)\n",
    "forward alone": "def forward(self, x):\n    x = x.view(-1, 400)\n    return self.fc(x)\n",
    "two inputs": "import torch\nclass Add(torch.nn.Module):\n    def forward(self, a, b):\n        return a.first + b.second\n",
    "functions": "import torch\nimport math\nSIZE = 4\ndef make(n):\n    return torch.zeros(n, SIZE)\n",
    "doc": '"""A model."""\nfrom torch import nn\nclass Empty(nn.Module):\n    pass\n',
}
FAULTY = {
    "widths": "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(5, 4)\n"
    "        self.b = nn.Linear(3, 2)\n    def forward(self, x):\n        return self.b(self.a(x))\n",
    "meeting": "x = torch.randn(4, 3)\nprint(x @ torch.randn(4, 3))\n",
    "target": "    logits = nn.Linear(3, 5)(torch.randn(4, 3))\n    F.cross_entropy(logits, torch.zeros(3, dtype=torch.long))\n",
}

PASTED = {  # with what stands around code in a post: (text, rule and line of what is found)
    "prompts": (
        ">>> m = nn.Linear(20, 30)\n>>> out = m(torch.randn(128, 20))\n>>> out.size()\ntorch.Size([128, 30])\n",
        [],
    ),
    "a session that fails": (
        ">>> import torch\n>>> a, b = torch.randn(3, 4), torch.randn(3, 5)\n>>> torch.matmul(a, b)\n"
        'Traceback (most recent call last):\n  File "<stdin>", line 1, in <module>\n'
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (3x4 and 3x5)\n",
        [("SW103", 3)],
    ),
    "continued lines": (
        ">>> class Net(nn.Module):\n...     def __init__(self):\n...         super().__init__()\n"
        "...         self.a = nn.Linear(8, 4)\n...     def forward(self, x):\n...         return self.a(x)\n...\n"
        ">>> Net()(torch.randn(2, 9)).shape\n",
        [("SW102", 6)],
    ),
    "numbered cells": (
        "In [1]: import torch\n\nIn [2]: x = torch.randn(4, 5)\n\nIn [3]: x.view(3, 7)\n"
        "-----------------------\nRuntimeError            Traceback (most recent call last)\n"
        "----> 1 x.view(3, 7)\n\nRuntimeError: shape '[3, 7]' is invalid for input of size 20\n",
        [("SW106", 5)],
    ),
    "half a traceback": (
        "net = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(64, 10))\nnet(torch.randn(32, 784))\n\n"
        'Traceback (most recent call last):\n  File "main.py", line 2, in <module>\n    net(x)\n'
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x128 and 64x10)\n",
        [("SW102", 2)],
    ),
    "fences": ("Here it is:\n```python\nx = torch.ones(2, 3)\nprint(x + torch.ones(3, 2))\n```\n", [("SW104", 4)]),
    "dots": ("import torch\n....\nx = torch.ones(2, 3)\n....\nprint(x.sum())\n", []),
    "sentences": ("Hi all, why does this not train?\n\nx = torch.ones(2, 3)\nprint(x.mean())\n\nThanks a lot!\n", []),
}
EMPTY = {"imports": "import torch\nfrom torch import nn\n", "comments": "# my model, see below\n", "nothing": ""}


def checked(text, resident, tmp_path, lang="en"):
    (tmp_path / "paste.py").write_text(text)
    return examine(str(tmp_path / "paste.py"), resident=resident, lang=lang)[1]


@pytest.mark.parametrize("name", RUN)
def test_what_lacks_only_imports_is_run(name, resident, tmp_path):
    diagnosis = checked(RUN[name], resident, tmp_path)
    assert diagnosis.outcome == "complete" and not diagnosis.findings, diagnosis.reason


@pytest.mark.parametrize("lang, word", [("en", "excerpt"), ("es", "fragmento"), ("ja", "抜粋")])
@pytest.mark.parametrize("name", MISSING)
def test_what_is_missing_is_said(name, lang, word, resident, tmp_path):
    text, first = MISSING[name]
    diagnosis = checked(text, resident, tmp_path, lang)
    assert diagnosis.outcome == "incomplete" and word in diagnosis.reason and first in diagnosis.reason


@pytest.mark.parametrize(
    "lang, word", [("en", "nothing was checked"), ("es", "no se comprobó nada"), ("ja", "何も検査")]
)
@pytest.mark.parametrize("name", NOTHING)
def test_where_nothing_ran_the_page_says_so(name, lang, word, resident, tmp_path):
    diagnosis = checked(NOTHING[name], resident, tmp_path, lang)
    assert diagnosis.outcome == "incomplete" and word in diagnosis.reason


@pytest.mark.parametrize("name", FAULTY)
def test_faults_of_excerpts_are_found(name, resident, tmp_path):
    assert checked(FAULTY[name], resident, tmp_path).findings


@pytest.mark.parametrize("name", PASTED)
def test_what_stands_around_code_is_passed_over_and_told(name, resident, tmp_path):
    text, found = PASTED[name]
    diagnosis = checked(text, resident, tmp_path)
    assert diagnosis.outcome == ("stopped" if found else "complete"), diagnosis.reason
    assert [(finding.code, finding.site.line) for finding in diagnosis.findings] == found
    left = [one.kind for one in diagnosis.assumptions if one.kind == "lines-left-out"]
    assert left or ">>> " in text  # prompts alone take no line away


@pytest.mark.parametrize(
    "lang, word", [("en", "nothing was checked"), ("es", "no se comprobó nada"), ("ja", "何も検査")]
)
@pytest.mark.parametrize("name", EMPTY)
def test_where_there_is_nothing_to_run_the_page_says_so(name, lang, word, resident, tmp_path):
    diagnosis = checked(EMPTY[name], resident, tmp_path, lang)
    assert diagnosis.outcome == "incomplete" and word in diagnosis.reason


def test_what_is_no_paste_is_read_as_it_is():
    from shapewright.run.script.excerpt import code_of

    for text in ('x = """\n>>> 1\n"""\n', "print 'a b', c\n", "x = (1,\n", "class A:\n  def f(self):\n    ...\n"):
        assert code_of(text) == text


SLIPS = {  # with what is told, and the line of it
    "underscores": ("class Net(nn.Module):\n    def ___init___(self, width):\n        super().__init__()\n"
                    "        self.a = nn.Linear(width, 2)\n    def forward(self, x):\n        return self.a(x)\n"
                    "Net(4)(torch.randn(3, 4))\n", "misspelt", "2"),
    "an attribute": ("class Net(nn.Module):\n    def _init_(self):\n        super().__init__()\n"
                     "        self.a = nn.Linear(4, 2)\n    def forward(self, x):\n        return self.a(x)\n"
                     "net = Net()\nnet(torch.randn(3, 4))\n", "misspelt", "2"),
    "items": ("class Rows(Dataset):\n    def __len__(self):\n        return 6\n    def _getitem__(self, at):\n"
              "        return torch.randn(3)\nfor x in DataLoader(Rows(), 2):\n    print(x)\n", "misspelt", "4"),
    "a loss": ("net = nn.Linear(4, 2)\nloss = nn.MSELoss()\nfor _ in range(3):\n"
               "    loss = loss(net(torch.randn(3, 4)), torch.randn(3, 2))\n    loss.backward()\n", "replaced", "4"),
    "a measure": ("def right(a, b):\n    return (a == b).float().mean().item()\n"
                  "right = right(torch.ones(3), torch.ones(3))\nprint(right)\n"
                  "print(right(torch.ones(3), torch.ones(3)))\n", "replaced", "3"),
}  # fmt: skip


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_of_the_pen_is_named(name, tmp_path):
    text, reason, line = SLIPS[name]
    (tmp_path / "post.py").write_text(text)
    trace, diagnosis = examine(str(tmp_path / "post.py"), cwd=str(tmp_path), lang="en")
    assert (trace.outcome.reason, trace.outcome.fields.get("line")) == (reason, line), diagnosis.reason


def test_other_errors_are_no_slips(tmp_path):
    text = "class Net(nn.Module):\n    def _init_weights(self):\n        pass\n    def forward(self, x):\n        return x\n"
    text += "net = Net()\nloss = nn.MSELoss()\nvalue = loss(net(torch.ones(2)), torch.zeros(2))\nvalue.item()(3)\n"
    (tmp_path / "post.py").write_text(text)
    assert examine(str(tmp_path / "post.py"), cwd=str(tmp_path), lang="en")[0].outcome.reason == "exception"
