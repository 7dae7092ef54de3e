"""Sound scripts with faults planted in them: each fault is one place of a script written otherwise. The script itself is the
reference of what its author meant."""

from __future__ import annotations

from dataclasses import dataclass

from .kept import KEPT
from .styles import STYLES

HEAD = """import copy
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
"""


@dataclass(frozen=True)
class Planted:
    """A fault: `sound` is the script as its author meant it, `faulty` the same with one place changed."""

    name: str
    sound: str
    faulty: str


def _faults(script: str, text: str, **changes: tuple[str, str]) -> list[Planted]:
    text = HEAD + text
    made = []
    for name, (old, new) in changes.items():
        assert old in text, (script, name)
        made.append(Planted(f"{script}: {name.replace('_', ' ')}", text, text.replace(old, new)))
    return made


REGRESSION = """
x = torch.randn(37, 6)
y = x @ torch.randn(6) + 0.1
loader = DataLoader(TensorDataset(x, y), batch_size=8)
hidden = 12
net = nn.Sequential(nn.Linear(6, hidden), nn.ReLU(), nn.Linear(hidden, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for inputs, target in loader:
        opt.zero_grad()
        pred = net(inputs).squeeze(-1)
        loss = F.mse_loss(pred, target)
        loss.backward()
        opt.step()
"""
CLASSIFIER = """
x = torch.randn(41, 3, 8, 8)
y = torch.randint(0, 5, (41,))
loader = DataLoader(TensorDataset(x, y), batch_size=10)


class Net(nn.Module):
    def __init__(self, channels=4, classes=5):
        super().__init__()
        self.conv1 = nn.Conv2d(3, channels, 3, padding=1)
        self.norm = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, 2 * channels, 3, padding=1)
        self.head = nn.Linear(2 * channels * 4 * 4, classes)

    def forward(self, images):
        maps = F.max_pool2d(F.relu(self.norm(self.conv1(images))), 2)
        maps = F.relu(self.conv2(maps))
        return self.head(maps.flatten(1))


model = Net()
opt = torch.optim.SGD(model.parameters(), lr=0.05)
model.train()
for images, labels in loader:
    opt.zero_grad()
    loss = F.cross_entropy(model(images), labels)
    loss.backward()
    opt.step()
"""
SEQUENCE = """
VOCABULARY = 11
tokens = torch.randint(0, VOCABULARY, (24, 9))
tags = torch.randint(0, 4, (24, 9))
loader = DataLoader(TensorDataset(tokens, tags), batch_size=5)


class Tagger(nn.Module):
    def __init__(self, width=6, hidden=7, classes=4):
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, width)
        self.lstm = nn.LSTM(width, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, classes)

    def forward(self, ids):
        states, _ = self.lstm(self.embed(ids))
        return self.out(states)


tagger = Tagger()
opt = torch.optim.SGD(tagger.parameters(), lr=0.1)
for ids, labels in loader:
    opt.zero_grad()
    scores = tagger(ids)
    loss = F.cross_entropy(scores.transpose(1, 2), labels)
    loss.backward()
    opt.step()
"""
ATTENTION = """
x = torch.randn(18, 7, 12)
y = torch.randn(18, 3)
loader = DataLoader(TensorDataset(x, y), batch_size=4)


class Attend(nn.Module):
    def __init__(self, width=12, heads=3):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.q, self.k, self.v = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)
        self.out = nn.Linear(width, 3)

    def split(self, t):
        return t.view(t.size(0), t.size(1), self.heads, self.size).transpose(1, 2)

    def forward(self, t):
        q, k, v = self.split(self.q(t)), self.split(self.k(t)), self.split(self.v(t))
        scores = q @ k.transpose(-2, -1) / self.size**0.5
        mixed = F.softmax(scores, dim=-1) @ v
        mixed = mixed.transpose(1, 2).reshape(t.size(0), t.size(1), -1)
        return self.out(mixed.mean(dim=1))


net = Attend()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for inputs, target in loader:
    opt.zero_grad()
    loss = F.mse_loss(net(inputs), target)
    loss.backward()
    opt.step()
"""
SIGNALS = """
x = torch.randn(26, 15, 4)
y = torch.randint(0, 2, (26,)).float()
loader = DataLoader(TensorDataset(x, y), batch_size=6)


class Detector(nn.Module):
    def __init__(self, features=4):
        super().__init__()
        self.conv = nn.Conv1d(features, 8, 3, padding=1)
        self.head = nn.Linear(8, 1)

    def forward(self, series):
        maps = F.relu(self.conv(series.transpose(1, 2)))
        return self.head(maps.mean(dim=2)).squeeze(1)


detector = Detector()
opt = torch.optim.SGD(detector.parameters(), lr=0.1)
criterion = nn.BCEWithLogitsLoss()
for series, labels in loader:
    opt.zero_grad()
    loss = criterion(detector(series), labels)
    loss.backward()
    opt.step()
"""
RESIDUAL = """
x = torch.randn(15, 4, 8, 8)
y = torch.randint(0, 3, (15,))


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1)
        self.shortcut = nn.Conv2d(inputs, outputs, 1, stride=stride)

    def forward(self, maps):
        return F.relu(self.conv2(F.relu(self.conv1(maps))) + self.shortcut(maps))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(Block(4, 6), Block(6, 8, stride=2))
        self.head = nn.Linear(8, 3)

    def forward(self, maps):
        return self.head(self.blocks(maps).mean(dim=(2, 3)))


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for images, labels in DataLoader(TensorDataset(x, y), batch_size=4):
    opt.zero_grad()
    F.cross_entropy(net(images), labels).backward()
    opt.step()
"""
GAN = """
real = torch.randn(24, 5)
G = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 5))
D = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
g_opt = torch.optim.SGD(G.parameters(), lr=0.05)
d_opt = torch.optim.SGD(D.parameters(), lr=0.05)
bce = nn.BCEWithLogitsLoss()
for (batch,) in DataLoader(TensorDataset(real), batch_size=6):
    n = batch.size(0)
    noise = torch.randn(n, 3)
    fake = G(noise)
    d_opt.zero_grad()
    d_loss = bce(D(batch), torch.ones(n, 1)) + bce(D(fake.detach()), torch.zeros(n, 1))
    d_loss.backward()
    d_opt.step()
    g_opt.zero_grad()
    g_loss = bce(D(fake), torch.ones(n, 1))
    g_loss.backward()
    g_opt.step()
"""
CARRIED = """
series = torch.randn(20, 3, 4)
cell = nn.GRUCell(4, 6)
head = nn.Linear(6, 2)
opt = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)
state = torch.zeros(3, 6)
for step in range(6):
    opt.zero_grad()
    state = cell(series[step], state.detach())
    loss = head(state).pow(2).mean()
    loss.backward()
    opt.step()
"""
AUTOENCODER = """
x = torch.rand(19, 10)
encoder = nn.Sequential(nn.Linear(10, 8), nn.ReLU(), nn.Linear(8, 4))
decoder = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 10))
opt = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.1)
total = 0.0
for (batch,) in DataLoader(TensorDataset(x), batch_size=4):
    opt.zero_grad()
    loss = F.mse_loss(decoder(encoder(batch)), batch)
    loss.backward()
    opt.step()
    total += loss.item()
"""
LANGUAGE = """
VOCABULARY = 13
text = torch.randint(0, VOCABULARY, (18, 10))


class Model(nn.Module):
    def __init__(self, width=8, heads=2):
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, width)
        self.places = nn.Embedding(10, width)
        layer = nn.TransformerEncoderLayer(width, heads, 16, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1)
        self.head = nn.Linear(width, VOCABULARY)

    def forward(self, ids):
        n = ids.size(1)
        places = torch.arange(n)
        hidden = self.embed(ids) + self.places(places)
        mask = nn.Transformer.generate_square_subsequent_mask(n)
        return self.head(self.encoder(hidden, mask=mask))


model = Model()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for (ids,) in DataLoader(TensorDataset(text), batch_size=5):
    opt.zero_grad()
    logits = model(ids[:, :-1])
    loss = F.cross_entropy(logits.reshape(-1, VOCABULARY), ids[:, 1:].reshape(-1))
    loss.backward()
    opt.step()
"""
HEADS = """
x = torch.randn(22, 5)
a, b, c = torch.randn(22), torch.randn(22), torch.randn(22)
body = nn.Sequential(nn.Linear(5, 9), nn.Tanh())
first, second, third = nn.Linear(9, 1), nn.Linear(9, 1), nn.Linear(9, 1)
opt = torch.optim.SGD([p for m in (body, first, second, third) for p in m.parameters()], lr=0.1)
for batch, ya, yb, yc in DataLoader(TensorDataset(x, a, b, c), batch_size=5):
    opt.zero_grad()
    h = body(batch)
    loss = F.mse_loss(first(h).squeeze(-1), ya)
    loss = loss + F.mse_loss(second(h).squeeze(-1), yb)
    loss = loss + F.mse_loss(third(h).squeeze(-1), yc)
    loss.backward()
    opt.step()
"""
POLICY = """
observations = torch.randn(16, 4)
returns = torch.randn(16)
actions = torch.randint(0, 3, (16,))
policy = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
critic = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
opt = torch.optim.SGD([*policy.parameters(), *critic.parameters()], lr=0.05)
for epoch in range(3):
    logp = F.log_softmax(policy(observations), dim=-1)
    chosen = logp.gather(1, actions.unsqueeze(1)).squeeze(1)
    values = critic(observations).squeeze(-1)
    advantage = returns - values.detach()
    loss = -(chosen * advantage).mean() + F.mse_loss(values, returns)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
VALIDATED = """
x, y = torch.randn(30, 4), torch.randint(0, 3, (30,))
train = DataLoader(TensorDataset(x[:20], y[:20]), batch_size=5)
held = DataLoader(TensorDataset(x[20:], y[20:]), batch_size=5)
model = nn.Sequential(nn.Linear(4, 10), nn.ReLU(), nn.Dropout(0.3), nn.Linear(10, 3))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(2):
    model.train()
    for inputs, labels in train:
        opt.zero_grad()
        loss = F.cross_entropy(model(inputs), labels)
        loss.backward()
        opt.step()
    model.eval()
    right = 0
    with torch.no_grad():
        for inputs, labels in held:
            right += (model(inputs).argmax(dim=1) == labels).sum().item()
    print(right / 10)
"""
PIXELS = """
x = torch.rand(12, 3, 6, 6)
y = torch.randint(0, 4, (12, 6, 6))
net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for images, masks in DataLoader(TensorDataset(x, y), batch_size=4):
    opt.zero_grad()
    scores = net(images)
    loss = F.cross_entropy(scores, masks)
    loss.backward()
    opt.step()
"""
PAIRS = """
left, right = torch.randn(20, 6), torch.randn(20, 6)
encoder = nn.Linear(6, 4)
opt = torch.optim.SGD(encoder.parameters(), lr=0.1)
for a, b in DataLoader(TensorDataset(left, right), batch_size=5):
    opt.zero_grad()
    za, zb = F.normalize(encoder(a), dim=-1), F.normalize(encoder(b), dim=-1)
    scores = za @ zb.T / 0.1
    loss = F.cross_entropy(scores, torch.arange(len(a)))
    loss.backward()
    opt.step()
"""
STATES = """
x = torch.randn(14, 8, 5)
y = torch.randint(0, 3, (14,))


class Reader(nn.Module):
    def __init__(self, features=5, hidden=6, layers=2):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.gru = nn.GRU(features, hidden, layers, batch_first=True)
        self.head = nn.Linear(hidden, 3)

    def forward(self, series):
        start = torch.zeros(self.layers, series.size(0), self.hidden)
        outputs, last = self.gru(series, start)
        return self.head(outputs[:, -1])


reader = Reader()
opt = torch.optim.SGD(reader.parameters(), lr=0.1)
for series, labels in DataLoader(TensorDataset(x, y), batch_size=4):
    opt.zero_grad()
    F.cross_entropy(reader(series), labels).backward()
    opt.step()
"""
RAGGED = """
from torch.nn.utils.rnn import pad_sequence

rows = [torch.randn(3 + i % 4, 5) for i in range(14)]
labels = torch.randint(0, 2, (14,))


def collate(items):
    series = pad_sequence([s for s, _ in items], batch_first=True)
    lengths = torch.tensor([len(s) for s, _ in items])
    return series, lengths, torch.stack([l for _, l in items])


gru = nn.GRU(5, 6, batch_first=True)
head = nn.Linear(6, 2)
opt = torch.optim.SGD([*gru.parameters(), *head.parameters()], lr=0.1)
for series, lengths, target in DataLoader(list(zip(rows, labels)), batch_size=4, collate_fn=collate):
    opt.zero_grad()
    outputs, _ = gru(series)
    last = outputs[torch.arange(len(lengths)), lengths - 1]
    F.cross_entropy(head(last), target).backward()
    opt.step()
"""
VAE = """
x = torch.rand(16, 8)
encoder = nn.Linear(8, 6)
decoder = nn.Linear(3, 8)
opt = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.05)
for (batch,) in DataLoader(TensorDataset(x), batch_size=4):
    opt.zero_grad()
    mean, log_var = encoder(batch).chunk(2, dim=-1)
    z = mean + torch.exp(0.5 * log_var) * torch.randn_like(mean)
    rebuilt = torch.sigmoid(decoder(z))
    divergence = -0.5 * (1 + log_var - mean.pow(2) - log_var.exp()).sum(dim=-1).mean()
    loss = F.binary_cross_entropy(rebuilt, batch) + divergence
    loss.backward()
    opt.step()
"""

PLANTED = [
    *_faults(
        "regression",
        REGRESSION,
        squeeze_lost=("net(inputs).squeeze(-1)", "net(inputs)"),
        width_of_the_second_layer=("nn.Linear(hidden, 1)", "nn.Linear(16, 1)"),
        width_of_the_data=("nn.Linear(6, hidden)", "nn.Linear(7, hidden)"),
        squeeze_of_all=("net(inputs).squeeze(-1)", "net(inputs).squeeze(0)"),
        zero_grad_lost=("        opt.zero_grad()\n", ""),
        step_before_backward=(
            "        loss.backward()\n        opt.step()",
            "        opt.step()\n        loss.backward()",
        ),
        zero_grad_after_backward=(
            "        loss.backward()\n        opt.step()",
            "        loss.backward()\n        opt.zero_grad()\n        opt.step()",
        ),
        target_unsqueezed=("F.mse_loss(pred, target)", "F.mse_loss(pred, target.unsqueeze(1))"),
    ),
    *_faults(
        "classifier",
        CLASSIFIER,
        flatten_lost=("maps.flatten(1)", "maps"),
        flatten_of_all=("maps.flatten(1)", "maps.flatten()"),
        channels_of_the_norm=("nn.BatchNorm2d(channels)", "nn.BatchNorm2d(2 * channels)"),
        channels_of_the_second_convolution=("nn.Conv2d(channels, 2 * channels", "nn.Conv2d(2 * channels, 2 * channels"),
        channels_of_the_data=("nn.Conv2d(3, channels", "nn.Conv2d(1, channels"),
        features_of_the_head=("2 * channels * 4 * 4, classes", "2 * channels * 8 * 8, classes"),
        classes_first=("F.cross_entropy(model(images), labels)", "F.cross_entropy(labels, model(images))"),
        softmax_before_the_loss=(
            "return self.head(maps.flatten(1))",
            "return F.softmax(self.head(maps.flatten(1)), dim=1)",
        ),
        softmax_over_samples=(
            "return self.head(maps.flatten(1))",
            "return F.log_softmax(self.head(maps.flatten(1)), dim=0)",
        ),
        view_of_the_batch=("maps.flatten(1)", "maps.view(10, -1)"),
        labels_of_two_axes=(
            "F.cross_entropy(model(images), labels)",
            "F.cross_entropy(model(images), labels.unsqueeze(1))",
        ),
        evaluation_mode=("model.train()\n", "model.eval()\n"),
        norm_of_one_axis=("nn.BatchNorm2d(channels)", "nn.BatchNorm1d(channels)"),
    ),
    *_faults(
        "sequence",
        SEQUENCE,
        transpose_lost=("scores.transpose(1, 2)", "scores"),
        one_direction_counted=("nn.Linear(2 * hidden, classes)", "nn.Linear(hidden, classes)"),
        width_of_the_lstm=("nn.LSTM(width, hidden", "nn.LSTM(hidden, hidden"),
        state_taken=("states, _ = self.lstm", "states = self.lstm"),
        vocabulary_too_small=("nn.Embedding(VOCABULARY, width)", "nn.Embedding(VOCABULARY - 2, width)"),
        time_first=("batch_first=True, bidirectional", "batch_first=False, bidirectional"),
        view_for_transpose=("scores.transpose(1, 2)", "scores.view(scores.size(0), 4, -1)"),
        wrong_axes=("scores.transpose(1, 2)", "scores.transpose(0, 1)"),
    ),
    *_faults(
        "attention",
        ATTENTION,
        transpose_of_keys_lost=("q @ k.transpose(-2, -1)", "q @ k"),
        wrong_axes_of_keys=("k.transpose(-2, -1)", "k.transpose(1, 2)"),
        softmax_over_queries=("F.softmax(scores, dim=-1)", "F.softmax(scores, dim=-2)"),
        heads_not_moved_back=("mixed.transpose(1, 2).reshape", "mixed.reshape"),
        view_splits_steps=(
            "t.view(t.size(0), t.size(1), self.heads, self.size).transpose(1, 2)",
            "t.view(t.size(0), self.heads, t.size(1), self.size)",
        ),
        view_of_moved_axes=("mixed.transpose(1, 2).reshape", "mixed.transpose(1, 2).view"),
        width_of_a_projection=("nn.Linear(width, 3)", "nn.Linear(width // heads, 3)"),
        mean_over_samples=("mixed.mean(dim=1)", "mixed.mean(dim=0)"),
    ),
    *_faults(
        "signals",
        SIGNALS,
        transpose_lost=("series.transpose(1, 2)", "series"),
        squeeze_lost=("self.head(maps.mean(dim=2)).squeeze(1)", "self.head(maps.mean(dim=2))"),
        mean_over_channels=("maps.mean(dim=2)", "maps.mean(dim=1)"),
        sigmoid_before_logits=(
            "self.head(maps.mean(dim=2)).squeeze(1)",
            "torch.sigmoid(self.head(maps.mean(dim=2)).squeeze(1))",
        ),
        whole_labels=("labels)\n    loss", "labels.long())\n    loss"),
        arguments_swapped=("criterion(detector(series), labels)", "criterion(labels, detector(series))"),
    ),
    *_faults(
        "residual",
        RESIDUAL,
        shortcut_without_stride=("nn.Conv2d(inputs, outputs, 1, stride=stride)", "nn.Conv2d(inputs, outputs, 1)"),
        shortcut_channels=("nn.Conv2d(inputs, outputs, 1,", "nn.Conv2d(inputs, inputs, 1,"),
        padding_lost=(
            "self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1)",
            "self.conv2 = nn.Conv2d(outputs, outputs, 3)",
        ),
        blocks_in_wrong_order=("Block(4, 6), Block(6, 8, stride=2)", "Block(6, 8, stride=2), Block(4, 6)"),
        channels_between_blocks=("Block(6, 8, stride=2)", "Block(4, 8, stride=2)"),
        pooled_over_one_axis=("mean(dim=(2, 3))", "mean(dim=2)"),
    ),
    *_faults(
        "gan",
        GAN,
        fake_not_detached=("D(fake.detach())", "D(fake)"),
        critic_cleared_too_late=("    d_opt.zero_grad()\n", ""),
        generator_not_cleared=("    g_opt.zero_grad()\n", ""),
        labels_of_one_axis=("torch.ones(n, 1)) + bce", "torch.ones(n)) + bce"),
        generator_detached=("bce(D(fake), torch.ones(n, 1))", "bce(D(fake.detach()), torch.ones(n, 1))"),
        full_batch_labels=("torch.ones(n, 1))\n", "torch.ones(5, 1))\n"),
    ),
    *_faults(
        "carried state",
        CARRIED,
        state_not_detached=("state.detach()", "state"),
        state_of_wrong_width=("torch.zeros(3, 6)", "torch.zeros(3, 4)"),
        state_of_wrong_order=("torch.zeros(3, 6)", "torch.zeros(6, 3)"),
        step_lost=("    opt.step()\n", ""),
    ),
    *_faults(
        "autoencoder",
        AUTOENCODER,
        layers_in_wrong_order=(
            "nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 10)",
            "nn.Linear(8, 10), nn.ReLU(), nn.Linear(4, 8)",
        ),
        output_of_wrong_width=("nn.Linear(8, 10))", "nn.Linear(8, 12))"),
        graph_kept=("total += loss.item()", "total += loss"),
        loss_cut=("F.mse_loss(decoder(encoder(batch)), batch)", "F.mse_loss(decoder(encoder(batch)).detach(), batch)"),
    ),
    *_faults(
        "language",
        LANGUAGE,
        not_shifted=("ids[:, 1:].reshape(-1)", "ids[:, :-1].reshape(-1)"),
        mask_lost=("self.encoder(hidden, mask=mask)", "self.encoder(hidden)"),
        mask_one_too_large=("generate_square_subsequent_mask(n)", "generate_square_subsequent_mask(n + 1)"),
        time_first=("16, dropout=0.0, batch_first=True", "16, dropout=0.0"),
        positions_of_samples=(
            "n = ids.size(1)\n        places = torch.arange(n)",
            "n = ids.size(1)\n        places = torch.arange(ids.size(0))",
        ),
        heads_do_not_divide=("heads=2", "heads=3"),
        targets_not_flat=("ids[:, 1:].reshape(-1)", "ids[:, 1:]"),
        whole_input=("model(ids[:, :-1])", "model(ids)"),
    ),
    *_faults(
        "heads",
        HEADS,
        all_columns=(").squeeze(-1), y", "), y"),
        one_column=("second(h).squeeze(-1)", "second(h)"),
        one_width=(
            "third = nn.Linear(9, 1), nn.Linear(9, 1), nn.Linear(9, 1)",
            "third = nn.Linear(9, 1), nn.Linear(8, 1), nn.Linear(9, 1)",
        ),
    ),
    *_faults(
        "policy",
        POLICY,
        index_of_one_axis=("logp.gather(1, actions.unsqueeze(1)).squeeze(1)", "logp.gather(1, actions).squeeze(1)"),
        column_of_values=("critic(observations).squeeze(-1)", "critic(observations)"),
        advantage_learns=("values.detach()", "values"),
        softmax_over_time=("policy(observations), dim=-1", "policy(observations), dim=0"),
        rewards_minimized=("-(chosen * advantage)", "(chosen * advantage)"),
    ),
    *_faults(
        "validated",
        VALIDATED,
        eval_lost=("    model.eval()\n", ""),
        train_before_the_loop=(
            "for epoch in range(2):\n    model.train()\n",
            "model.train()\nfor epoch in range(2):\n",
        ),
    ),
    *_faults(
        "pixels",
        PIXELS,
        channels_moved=("scores = net(images)", "scores = net(images).permute(0, 2, 3, 1)"),
        masks_with_an_axis=("F.cross_entropy(scores, masks)", "F.cross_entropy(scores, masks.unsqueeze(1))"),
        padding_lost=("nn.Conv2d(3, 8, 3, padding=1)", "nn.Conv2d(3, 8, 3)"),
        float_masks=("F.cross_entropy(scores, masks)", "F.cross_entropy(scores, masks.float())"),
        images_last=("net(images)\n", "net(images.permute(0, 2, 3, 1))\n"),
    ),
    *_faults(
        "pairs",
        PAIRS,
        transpose_lost=("za @ zb.T", "za @ zb"),
        one_label=("torch.arange(len(a))", "torch.zeros(len(a), dtype=torch.long)"),
        normalized_over_samples=("F.normalize(encoder(b), dim=-1)", "F.normalize(encoder(b), dim=0)"),
    ),
    *_faults(
        "states",
        STATES,
        order_of_the_state=(
            "torch.zeros(self.layers, series.size(0), self.hidden)",
            "torch.zeros(series.size(0), self.layers, self.hidden)",
        ),
        layers_of_the_state=("torch.zeros(self.layers,", "torch.zeros(1,"),
        full_batch_state=("series.size(0), self.hidden)", "4, self.hidden)"),
        features_of_the_layer=("nn.GRU(features, hidden", "nn.GRU(hidden, hidden"),
        last_of_the_batch=("outputs[:, -1]", "outputs[-1]"),
    ),
    *_faults(
        "ragged",
        RAGGED,
        last_step=("outputs[torch.arange(len(lengths)), lengths - 1]", "outputs[:, -1]"),
        stacked=("pad_sequence([s for s, _ in items], batch_first=True)", "torch.stack([s for s, _ in items])"),
        padded_time_first=(
            "pad_sequence([s for s, _ in items], batch_first=True)",
            "pad_sequence([s for s, _ in items])",
        ),
    ),
    *_faults(
        "vae",
        VAE,
        width_of_the_encoder=("nn.Linear(8, 6)", "nn.Linear(8, 5)"),
        split_of_the_batch=("chunk(2, dim=-1)", "chunk(2, dim=0)"),
        variance_as_deviation=("torch.exp(0.5 * log_var)", "torch.exp(log_var)"),
        divergence_maximized=("divergence = -0.5 *", "divergence = 0.5 *"),
        rebuilt_unsquashed=(
            "F.binary_cross_entropy(rebuilt, batch)",
            "F.binary_cross_entropy_with_logits(rebuilt, batch)",
        ),
    ),
    *(fault for script, text, changes in (*STYLES, *KEPT) for fault in _faults(script, text, **changes)),
]
