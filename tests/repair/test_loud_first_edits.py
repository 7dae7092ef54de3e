"""Faults whose plain edit, one call at the operand or one number at its layer, was not reached: it is found, and safe; where more than one reading is left, it is not."""

import pytest

import shapewright

HEAD = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\ntorch.manual_seed(0)\n"
JUDGE = """
class Player(nn.Module):
    def __init__(self, seen, moves):
        super().__init__()
        self.choose, self.body = nn.Linear(seen, moves), nn.Linear(seen, 8)
        self.judge = nn.Linear(8, {width})
    def forward(self, x):
        return self.choose(x), self.judge(torch.tanh(self.body(x))).squeeze(-1)
player, games, worth = Player(4, 3), torch.randn(40, 4), []
with torch.no_grad():
    for row in games:
        worth.append(player(row)[1])
    after = player(games[0])[1]
worth, gains, total = torch.stack(worth), torch.zeros(40), 0.0
for t in reversed(range(40)):
    total = 1.0 + 0.9 * after - worth[t] + 0.8 * total
    gains[t] = total
    after = worth[t]
scores, value = player(games)
(F.mse_loss(value, gains + worth) - (scores.log_softmax(1)[:, 0] * gains).mean()).backward()
"""
STREAM = """
def columns(letters, many):
    each = len(letters) // many
    return letters[: each * many].view(many, each){turned}
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.memory, self.out = nn.Embedding(11, 6), nn.LSTM(6, 9{flag}), nn.Linear(9, 11)
    def forward(self, x, state):
        made, state = self.memory(self.table(x), state)
        return self.out(made), state
reader, letters = Reader(), torch.randint(0, 11, (12 * 50,))
rows, state = columns(letters, 12), (torch.zeros(1, 12, 9), torch.zeros(1, 12, 9))
opt = torch.optim.SGD(reader.parameters(), lr=0.1)
for at in range(0, 48, 8):
    x, y = {cut}
    scores, state = reader(x, state)
    state = tuple(part.detach() for part in state)
    loss = F.cross_entropy(scores.reshape(-1, 11), y.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SOUNDS = """
def sound(low):
    wave = torch.sin(torch.arange(256) * (0.2 if low else 0.7) * (1 + 0.1 * torch.rand(1)))
    return wave + 0.1 * torch.randn(256)
class Ear(nn.Module):
    def __init__(self):
        super().__init__()
        self.slide = nn.Sequential(nn.Conv2d(1, 6, 3, stride=2, padding=1), nn.BatchNorm2d(6), nn.ReLU())
        self.follow, self.out = nn.GRU(6 * 17, 12, batch_first=True), nn.Linear(12, 2)
        self.register_buffer("window", torch.hann_window(64))
    def forward(self, x):
        seen = torch.log1p(torch.stft(x, 64, 16, window=self.window, return_complex=True).abs())
        level, spread = seen.mean(dim=(1, 2), keepdim=True), seen.std(dim=(1, 2), keepdim=True)
        h = self.slide(((seen - level) / (spread + 1e-5)){channel}).flatten(1, 2){steps}
        return self.out(self.follow(h)[1][-1])
low = [at % 2 for at in range(160)]
x, y, ear = torch.stack([sound(one) for one in low]), torch.tensor(low), Ear()
opt = torch.optim.SGD(ear.parameters(), lr=0.1)
for some in torch.arange(160).split(32):
    loss = F.cross_entropy(ear(x[some]), y[some])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SIGNALS = """
class Slide(nn.Module):
    def __init__(self):
        super().__init__()
        self.slide, self.out = nn.Conv1d(12, 20, 3, padding=1), nn.Linear(20, 4)
    def forward(self, x):
        return self.out(F.relu(self.slide(x)).mean(dim=2))
slide, x, y = Slide(), torch.randn(60, 30, 12), torch.randint(0, 4, (60,))
opt = torch.optim.SGD(slide.parameters(), lr=0.1)
for some in torch.arange(60).split(12):
    loss = F.cross_entropy(slide(x[some]), y[some])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
WORDS = """
many = [[1 + (7 * at + step) % 12 for step in range(2 + at % 5)] for at in range(60)]
kind = torch.tensor([sum(row) % 2 for row in many])
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.table, self.out = nn.Embedding(13, 6{known}), nn.Linear(6, 2)
    def forward(self, ids):
        real = (ids != 0).unsqueeze(-1).float()
        return self.out((self.table(ids) * real).sum(dim=1) / real.sum(dim=1))
reader = Reader()
opt = torch.optim.SGD(reader.parameters(), lr=0.1)
for at in range(0, 60, 20):
    ids = {ids}
    loss = F.cross_entropy(reader(ids), kind[at : at + 20])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
PADDED = "torch.tensor([(row + [0] * 6)[:6] for row in many[at : at + 20]])"
STEPS = "rows[at : at + 8], rows[at + 1 : at + 9]"
CUT = "rows[:, at : at + 8], rows[:, at + 1 : at + 9]"
MENDED = {
    "a head of as many values as moves, of which one is read": (JUDGE.format(width="moves"), "nn.Linear(8, 1)"),
    "a table read by rows whose samples are its rows": (
        STREAM.format(turned="", flag="", cut=STEPS),
        ".view(many, each).t()",
    ),
    "a picture without channels after a long preparation": (
        SOUNDS.format(channel="", steps=".transpose(1, 2)"),
        ".unsqueeze(1)",
    ),
    "steps behind the features that were merged": (
        SOUNDS.format(channel=".unsqueeze(1)", steps=""),
        ".transpose(1, 2)",
    ),
    "rows of several lengths, and a table that knows padding": (
        WORDS.format(known=", padding_idx=0", ids="torch.tensor(list(many[at : at + 20]))"),
        "pad_sequence([torch.tensor(",
    ),
    "features last, with as many samples as features": (SIGNALS, "x.transpose(1, 2)"),
}
SOUND = {
    "a head of one value": JUDGE.format(width="1"),
    "a table of columns": STREAM.format(turned=".t()", flag="", cut=STEPS),
    "samples first, where the layer is told so": STREAM.format(turned="", flag=", batch_first=True", cut=CUT),
    "rows padded by hand": WORDS.format(known=", padding_idx=0", ids=PADDED),
    "pictures with channels": SOUNDS.format(channel=".unsqueeze(1)", steps=".transpose(1, 2)"),
}
VALUES = """
class Values(nn.Module):
    def __init__(self, seen, moves):
        super().__init__()
        self.body, self.head = nn.Linear(seen, 16), nn.Linear(16, moves)
    def forward(self, x):
        return self.head(torch.relu(self.body(x)))
values, seen, moves, gains = Values(4, 3), torch.randn(40, 4), torch.randint(0, 3, (40,)), torch.rand(40)
worth = values(seen).squeeze(1)
F.mse_loss(worth - gains, torch.zeros(40)).backward()
"""
OPEN = {  # the values of the moves that were made are meant, which no size says
    "values of all moves, squeezed": (VALUES, ""),
    "rows of several lengths, and nothing that knows padding": (
        WORDS.format(known="", ids="torch.tensor(list(many[at : at + 20]))"),
        "pad_sequence",
    ),
    "samples first, where the layer is not told so": (STREAM.format(turned="", flag="", cut=CUT), ".t()"),
}


@pytest.mark.parametrize("name", sorted(MENDED))
def test_the_plain_edit_wins(name, repaired):
    faulty, wanted = MENDED[name]
    assert wanted in repaired(HEAD + faulty)


@pytest.mark.parametrize("name", sorted(SOUND))
def test_the_sound_twin_is_silent(name, tmp_path, resident):
    script = tmp_path / "script.py"
    script.write_text(HEAD + SOUND[name])
    assert not shapewright.check(str(script), resident=resident).findings


@pytest.mark.parametrize("name", sorted(OPEN))
def test_the_tempting_edit_is_not_safe(name, tmp_path, resident):
    text, tempting = OPEN[name]
    script = tmp_path / "script.py"
    script.write_text(HEAD + text)
    fixes = [fix for one in shapewright.check(str(script), resident=resident).findings for fix in one.fixes]
    assert not any(fix.safe and tempting in fix.diff for fix in fixes)
