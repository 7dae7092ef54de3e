"""Which edit wins, and which tempting one is named as the loser."""

from pathlib import Path

import pytest

import shapewright

EXAMPLES = Path(__file__).parents[2] / "examples"
HEAD = "import torch\nfrom torch import nn\ntorch.manual_seed(0)\n"
STEP = "    opt.zero_grad()\n    loss.backward()\n    opt.step()\n"

ATTENDS = """
def scaled(part):
    one, other = part.chunk(2, dim=-1)
    return torch.cat([one * 2, other.sin() + one.cos()], dim=-1)
class Attends(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v, self.out = (nn.Linear(8, 8) for _ in range(4))
    def forward(self, x):
        b, t, _ = x.shape
        q = scaled(self.q(x).view(b, t, 2, 4).transpose(1, 2))
        k = KEYS
        v = self.v(x).view(b, t, 2, 4).transpose(1, 2)
        weights = (q @ k.mT / 2).softmax(dim=-1)
        return self.out((weights @ v).transpose(1, 2).reshape(b, t, 8))
Attends()(torch.randn(6, 5, 8)).pow(2).mean().backward()
"""
CASES = {  # faulty text: the text that a careful person's edit leaves
    "condition of a shortcut": (
        "class Block(nn.Module):\n    def __init__(self, cin, cout, stride):\n        super().__init__()\n        self.conv = nn.Conv2d(cin, cout, 3, stride, 1)\n"
        "        self.short = nn.Identity()\n        if stride != 1:\n            self.short = nn.Conv2d(cin, cout, 1, stride)\n"
        "    def forward(self, x):\n        return self.conv(x) + self.short(x)\nBlock(4, 8, 1)(torch.randn(2, 4, 6, 6))\n",
        "if stride != 1 or cin != cout:",
    ),
    "norm over the last axis": (
        "norm = nn.BatchNorm1d(8)\nx = torch.randn(4, 6, 8)\ny = norm(x)\n",
        "y = norm(x.transpose(1, 2)).transpose(1, 2)",
    ),
    "view after transpose": ("x = torch.randn(4, 6, 8).transpose(1, 2)\ny = x.view(4, -1)\n", "y = x.reshape(4, -1)"),
    "features of a picture": (
        "net = nn.Sequential(nn.Linear(36, 5), nn.ReLU())\nx = torch.randn(3, 1, 6, 6)\nnet(x).sum().backward()\n",
        "nn.Flatten(), nn.Linear(36, 5)",
    ),
    "column of labels": (
        "net = nn.Linear(5, 3)\nlabels = torch.randint(0, 3, (9, 1))\nloss = nn.CrossEntropyLoss()(net(torch.randn(9, 5)), labels)\n",
        "labels.squeeze(-1))",
    ),
    "unsorted lengths": (
        "from torch.nn.utils.rnn import pack_padded_sequence\nlengths = torch.tensor([4, 6, 2])\npack_padded_sequence(torch.randn(3, 6, 4), lengths, batch_first=True)\n",
        "enforce_sorted=False",
    ),
    "gradient lost in NumPy": ("net = nn.Linear(3, 2)\ntable = net(torch.randn(4, 3)).numpy()\n", ".detach().numpy()"),
    "loss of many numbers": (
        "net = nn.Linear(3, 1)\nloss = (net(torch.randn(5, 3)) - 1) ** 2\nloss.backward()\n",
        "** 2).mean()",
    ),
    "layers in a list": (
        "class Deep(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layers = [nn.Linear(4, 4) for _ in range(2)]\n        self.end = nn.Linear(4, 1)\n"
        "    def forward(self, x):\n        for layer in self.layers:\n            x = torch.relu(layer(x))\n        return self.end(x)\n"
        "model = Deep()\nopt = torch.optim.Adam(model.parameters())\nfor _ in range(4):\n    x = torch.randn(8, 4)\n"
        "    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()\n" + STEP,
        "nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])",
    ),
    "targets not shifted": (
        "class LM(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.emb, self.rnn, self.out = nn.Embedding(25, 16), nn.GRU(16, 16, batch_first=True), nn.Linear(16, 25)\n"
        "    def forward(self, ids):\n        return self.out(self.rnn(self.emb(ids))[0])\n"
        "model = LM()\nopt = torch.optim.Adam(model.parameters())\nfor _ in range(3):\n    ids = torch.randint(0, 25, (6, 12))\n    logits = model(ids)\n"
        "    loss = nn.functional.cross_entropy(logits.reshape(-1, 25), ids.reshape(-1))\n" + STEP,
        "(logits[:, :-1].reshape(-1, 25), ids[:, 1:].reshape(-1))",
    ),
    "last step of padded rows": (
        "class Scorer(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.words, self.rnn, self.head = nn.Embedding(40, 8, padding_idx=0), nn.GRU(8, 12, batch_first=True), nn.Linear(12, 1)\n"
        "    def forward(self, x):\n        out, _ = self.rnn(self.words(x))\n        return self.head(out[:, -1]).squeeze(-1)\n"
        "model = Scorer()\nopt = torch.optim.Adam(model.parameters())\nfor _ in range(3):\n    rows = [torch.randint(1, 40, (n,)) for n in (3, 9, 5, 7, 4, 8)]\n"
        "    x = nn.utils.rnn.pad_sequence(rows, batch_first=True)\n    loss = nn.functional.binary_cross_entropy_with_logits(model(x), torch.rand(6).round())\n"
        + STEP,
        "out[torch.arange(out.size(0), device=out.device), (x != 0).sum(dim=1) - 1]",
    ),
    "two heads of one wrong size": (
        "class Two(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.body = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2), nn.Flatten())\n"
        "        self.mean = nn.Linear(8 * 7 * 7, 3)\n        self.spread = nn.Linear(8 * 7 * 7, 3)\n"
        "    def forward(self, x):\n        h = self.body(x)\n        return self.mean(h) + self.spread(h)\n"
        "Two()(torch.randn(5, 1, 11, 11)).sum().backward()\n",
        "self.mean = nn.Linear(8 * 5 * 5, 3)\n        self.spread = nn.Linear(8 * 5 * 5, 3)",
    ),
    "chosen and rejected swapped": (
        "judge = nn.Linear(5, 1)\nopt = torch.optim.SGD(judge.parameters(), lr=0.1)\nfor step in range(4):\n    chosen = judge(torch.randn(8, 5)).squeeze(-1)\n"
        "    rejected = judge(torch.randn(8, 5)).squeeze(-1)\n    loss = -nn.functional.logsigmoid(rejected - chosen).mean()\n"
        + STEP,
        "logsigmoid(chosen - rejected)",
    ),
    "axes exchanged with themselves": (
        ATTENDS.replace("KEYS", "scaled(self.k(x).view(b, t, 2, 4).transpose(1, 1))"),
        "scaled(self.k(x).view(b, t, 2, 4).transpose(1, 2))",
    ),
    "samples moved away": (
        ATTENDS.replace("KEYS", "scaled(self.k(x).view(b, t, 2, 4).transpose(1, 0))"),
        "scaled(self.k(x).view(b, t, 2, 4).transpose(1, 2))",
    ),
    "keys not turned as queries": (
        ATTENDS.replace("KEYS", "scaled(self.k(x).view(b, t, 2, 4))"),
        "scaled(self.k(x).view(b, t, 2, 4).transpose(1, 2))",
    ),
    "steps joined as heads": (
        "old, new = torch.randn(3, 2, 7, 4), torch.randn(3, 2, 1, 4)\nkeys = torch.cat([old, new], dim=1)\n"
        "scores = torch.randn(3, 2, 1, 4) @ keys.mT\n",
        "torch.cat([old, new], dim=2)",
    ),
    "rates stacked as rows": (
        "state = torch.randn(6, 2, requires_grad=True)\nrate = torch.stack([state[:, 1], -state[:, 0]])\n"
        "(state + 0.1 * rate.tanh()).pow(2).mean().backward()\n",
        "torch.stack([state[:, 1], -state[:, 0]], dim=1)",
    ),
    "copies of single numbers": (
        "x = torch.randn(4, 3, 5)\nleft, right = x.repeat_interleave(3), x.repeat(1, 3, 1)\n"
        "nn.Linear(10, 2)(torch.cat([left, right], dim=-1)).sum().backward()\n",
        "x.repeat_interleave(3, dim=1)",
    ),
    "a window beside others of its kind": (
        "up = nn.Sequential(nn.ConvTranspose2d(6, 4, 4, 2, 3), nn.ReLU(), nn.ConvTranspose2d(4, 1, 4, 2, 1), nn.Tanh())\n"
        "x = torch.randn(5, 6, 4, 4)\n(up(x) - torch.rand(5, 1, 16, 16)).pow(2).mean().backward()\n",
        "nn.ConvTranspose2d(6, 4, 4, 2, 1)",
    ),
    "a loss of one's own with its sides exchanged": (
        "def pinball(pred, goal):\n    off = goal.unsqueeze(-1) - pred\n    return torch.maximum(0.9 * off, -0.1 * off).mean()\n"
        "net = nn.Linear(4, 18)\nx, y = torch.randn(8, 4), torch.randn(8, 6)\nout = net(x).view(8, 6, 3)\nloss = pinball(y, out)\nloss.backward()\n",
        "pinball(out, y)",
    ),
    "a critic of several values": (
        "critic = nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 3))\nvalues, rewards = critic(torch.randn(13, 5, 4)).squeeze(-1), torch.randn(12, 5)\n"
        "gain = rewards + 0.99 * values[1:] - values[:-1]\ngain.pow(2).mean().backward()\n",
        "nn.Linear(16, 1)",
    ),
    "a number of parts that is none": (
        "mean, spread = nn.Linear(5, 6)(torch.randn(4, 5)).chunk(-1, dim=-1)\n(mean * spread).sum().backward()\n",
        ".chunk(2, dim=-1)",
    ),
}


UNSAFE = {"two heads of one wrong size"}  # another padding makes maps of that size


@pytest.mark.parametrize("name", CASES)
def test_careful_edit_wins(name, repaired):
    faulty, wanted = CASES[name]
    assert wanted in repaired(HEAD + faulty, unsafe=name in UNSAFE)


def test_reward_model_takes_the_last_axis_of_both_scores(resident):
    diagnosis = shapewright.check(str(EXAMPLES / "reward_model.py"), resident=resident)
    fix = diagnosis.findings[0].fixes[0]
    added = [line for line in fix.diff.splitlines() if line.startswith("+") and ".squeeze(-1)" in line]
    assert fix.applicability == "safe" and len(added) == 2
    assert any(".squeeze()" in rejected.title for rejected in fix.rejected)


def test_next_token_keeps_time_first_or_says_batch_first(resident):
    diagnosis = shapewright.check(str(EXAMPLES / "next_token.py"), resident=resident)
    fix = diagnosis.findings[0].fixes[0]
    added = [line for line in fix.diff.splitlines() if line.startswith("+") and not line.startswith("+++")]
    assert fix.applicability == "safe" and fix.verified == (1,)  # it was given one sequence at a time
    assert len([line for line in added if ".permute(1, 0, 2)" in line]) == 3 or any(
        "batch_first=True" in line for line in added
    )
