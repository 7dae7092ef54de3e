"""Faults of the shapes of everyday scripts, each a sound script with one place changed: a flattening that merges the
samples, a state for another number of layers, a collate function that is not handed over, two names exchanged."""

from __future__ import annotations

from .planted import HEAD, Planted


def _faults(script: str, text: str, **changes: tuple[str, str]) -> list[Planted]:
    text, made = HEAD + text, []
    for name, (old, new) in changes.items():
        assert old in text, (script, name)
        made.append(Planted(f"{script}: {name.replace('_', ' ')}", text, text.replace(old, new)))
    return made


DIGITS = """
class Digits(torch.utils.data.Dataset):
    def __init__(self, n=30):
        self.labels = torch.randint(0, 4, (n,))
        self.images = torch.randn(n, 12, 12, 1)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.images[i].permute(2, 0, 1), self.labels[i]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 5, kernel_size=3)
        self.fc = nn.Linear(5 * 5 * 5, 4)

    def forward(self, x):
        x = F.max_pool2d(torch.relu(self.conv(x)), 2)
        x = torch.flatten(x, 1)
        return self.fc(x)


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for images, labels in DataLoader(Digits(), batch_size=8):
    loss = F.cross_entropy(net(images), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
ATTENTION = """
dim, heads, block, vocab = 24, 4, 12, 31
text = torch.randint(0, vocab, (200,))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(B, T, heads, C // heads).transpose(1, 2)
        k = k.view(B, T, heads, C // heads).transpose(1, 2)
        v = v.view(B, T, heads, C // heads).transpose(1, 2)
        scores = (q @ k.transpose(-2, -1)) / (C // heads) ** 0.5
        later = torch.ones(T, T, dtype=torch.bool).triu(1)
        y = scores.masked_fill(later, float("-inf")).softmax(dim=-1) @ v
        return self.proj(y.transpose(1, 2).reshape(B, T, C))


embed, attend, head = nn.Embedding(vocab, dim), Attention(), nn.Linear(dim, vocab)
opt = torch.optim.SGD([*embed.parameters(), *attend.parameters(), *head.parameters()], lr=0.1)
for step in range(3):
    start = torch.randint(0, len(text) - block - 1, (8,))
    x = torch.stack([text[s : s + block] for s in start])
    y = torch.stack([text[s + 1 : s + block + 1] for s in start])
    loss = F.cross_entropy(head(attend(embed(x))).view(-1, vocab), y.view(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SENTENCES = """
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

pairs = [(torch.randint(1, 40, (int(n),)), float(n % 2)) for n in torch.randint(3, 11, (30,))]


def together(items):
    tokens, labels = zip(*items)
    return pad_sequence(tokens, batch_first=True), torch.tensor([len(t) for t in tokens]), torch.tensor(labels)


class Tagger(nn.Module):
    def __init__(self, hidden=14, layers=2):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.embed = nn.Embedding(40, 10, padding_idx=0)
        self.lstm = nn.LSTM(10, hidden, layers, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * hidden, 1)

    def forward(self, tokens, lengths):
        h = torch.zeros(2 * self.layers, tokens.size(0), self.hidden)
        c = torch.zeros(2 * self.layers, tokens.size(0), self.hidden)
        packed = pack_padded_sequence(self.embed(tokens), lengths, batch_first=True, enforce_sorted=False)
        _, (last, _) = self.lstm(packed, (h, c))
        return self.head(torch.cat([last[-2], last[-1]], dim=1)).squeeze(1)


model = Tagger()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for tokens, lengths, labels in DataLoader(pairs, batch_size=7, collate_fn=together):
    loss = F.binary_cross_entropy_with_logits(model(tokens, lengths), labels)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
POLICY = """
from torch.distributions import Categorical

OBS, ACTIONS, HIDDEN, ENVS = 5, 3, 16, 6


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(OBS, HIDDEN)
        self.mixed = nn.Bilinear(HIDDEN, OBS, 8)
        self.head = nn.Linear(8, ACTIONS)

    def forward(self, seen, state):
        state = self.cell(seen, state)
        return self.head(torch.tanh(self.mixed(state, seen))), state


policy, moves = Policy(), torch.randn(ACTIONS, OBS)
opt = torch.optim.SGD(policy.parameters(), lr=0.1)
for update in range(3):
    seen, state, kept = torch.randn(ENVS, OBS), torch.zeros(ENVS, HIDDEN), []
    for t in range(4):
        logits, state = policy(seen, state)
        dist = Categorical(logits=logits)
        action = dist.sample()
        seen = torch.tanh(seen + moves[action])
        kept.append(dist.log_prob(action) * -seen.detach().pow(2).sum(-1))
    loss = -torch.stack(kept).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
TRANSLATOR = """
PAD, words, marks = 0, 30, 26


class Translator(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.read, self.write = nn.Embedding(words, d), nn.Embedding(marks, d)
        self.both = nn.Transformer(d, 4, 1, 1, 32, dropout=0.0, batch_first=True)
        self.head = nn.Linear(d, marks)

    def forward(self, source, target):
        causal = nn.Transformer.generate_square_subsequent_mask(target.size(1))
        return self.head(self.both(self.read(source), self.write(target), tgt_mask=causal))


model = Translator()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(3):
    source, target = torch.randint(1, words, (6, 9)), torch.randint(1, marks, (6, 7))
    logits = model(source, target[:, :-1])
    loss = F.cross_entropy(logits.reshape(-1, marks), target[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
MAPS = """
class Maps(nn.Module):
    def __init__(self, base=6):
        super().__init__()
        self.one = nn.Conv2d(3, base, 3, padding=1)
        self.two = nn.Conv2d(base, 2 * base, 3, padding=1)
        self.low = nn.Conv2d(2 * base, 4 * base, 3, padding=1)
        self.up_two = nn.ConvTranspose2d(4 * base, 2 * base, kernel_size=2, stride=2)
        self.back_two = nn.Conv2d(4 * base, 2 * base, 3, padding=1)
        self.up_one = nn.ConvTranspose2d(2 * base, base, kernel_size=2, stride=2)
        self.out = nn.Conv2d(2 * base, 4, 1)

    def forward(self, x):
        first = torch.relu(self.one(x))
        second = torch.relu(self.two(F.max_pool2d(first, 2)))
        deep = torch.relu(self.low(F.max_pool2d(second, 2)))
        wide = torch.relu(self.back_two(torch.cat([self.up_two(deep), second], dim=1)))
        return self.out(torch.cat([self.up_one(wide), first], dim=1))


images, masks = torch.rand(10, 3, 16, 16), torch.randint(0, 4, (10, 16, 16))
net = Maps()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for image, mask in DataLoader(TensorDataset(images, masks), batch_size=4):
    loss = F.cross_entropy(net(image), mask)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
COUNTED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm2d(1)
        self.att = nn.MultiheadAttention(4, 2, batch_first=True)
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        h = self.norm(x.unsqueeze(1)).squeeze(1)
        read, _ = self.att(x, h, h)
        return self.out(read.mean(1)).squeeze(-1)


x = torch.randn(90, 7, 4)
y, net, preds = x[:, :, 0].amax(1), Net(), []
loader = DataLoader(TensorDataset(x, y), batch_size=8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for batch, goal in loader:
    loss = F.mse_loss(net(batch), goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    for batch, goal in loader:
        preds.extend(net(batch).tolist())
if len(preds) != len(x):
    raise ValueError("some samples were left out")
"""
STATES = "torch.zeros(2 * self.layers, tokens.size(0), self.hidden)"
NODES = """
count, kinds = 20, torch.randint(0, 3, (20,))
known = torch.arange(12)
links = (torch.rand(count, count) < 0.2).float() + torch.eye(count)
given = torch.randn(count, 5)
one, two = nn.Linear(5, 8), nn.Linear(8, 3)
opt = torch.optim.SGD([*one.parameters(), *two.parameters()], lr=0.1)
for epoch in range(3):
    scores = links @ two(torch.relu(links @ one(given)))
    loss = F.cross_entropy(scores[known], kinds[known])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
GIVES = "self.draw(drawn), mean, spread"
VARIATIONAL = """
class Variational(nn.Module):
    def __init__(self):
        super().__init__()
        self.read, self.draw = nn.Linear(9, 8), nn.Linear(4, 9)

    def forward(self, x):
        mean, spread = self.read(x).chunk(2, dim=1)
        drawn = mean + torch.randn_like(mean) * torch.exp(0.5 * spread)
        return self.draw(drawn), mean, spread


model = Variational()
opt = torch.optim.SGD(model.parameters(), lr=0.01)
for (rows,) in DataLoader(TensorDataset(torch.randn(20, 9)), batch_size=8):
    drawn, mean, spread = model(rows)
    loss = F.mse_loss(drawn, rows, reduction="sum") - 0.5 * torch.sum(1 + spread - mean.pow(2) - spread.exp())
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
EVERYDAY = [
    *_faults(
        "digits",
        DIGITS,
        all_axes_flattened=("torch.flatten(x, 1)", "torch.flatten(x)"),
        one_sample_too_many=("return len(self.labels)", "return len(self.labels) + 1"),
        batch_unpacked_in_another_order=("for images, labels in", "for labels, images in"),
        sample_in_another_order=(
            "self.images[i].permute(2, 0, 1), self.labels[i]",
            "self.labels[i], self.images[i].permute(2, 0, 1)",
        ),
        doubles=("torch.randn(n, 12, 12, 1)", "torch.randn(n, 12, 12, 1).double()"),
    ),
    *_faults(
        "attention",
        ATTENTION,
        keys_not_turned=("k = k.view(B, T, heads, C // heads).transpose(1, 2)", "k = k.view(B, T, heads, C // heads)"),
    ),
    *_faults(
        "sentences",
        SENTENCES,
        states_of_one_direction=(STATES, STATES.replace("2 * ", "")),
        states_batch_first=(STATES, "torch.zeros(tokens.size(0), 2 * self.layers, self.hidden)"),
        own_collate_left_out=(", collate_fn=together)", ")"),
    ),
    *_faults(
        "policy",
        POLICY,
        state_of_a_layer=("torch.zeros(ENVS, HIDDEN)", "torch.zeros(1, ENVS, HIDDEN)"),
        scores_for_probabilities=("logits=logits", "logits"),
        inputs_exchanged=("self.mixed(state, seen)", "self.mixed(seen, state)"),
    ),
    *_faults(
        "translator",
        TRANSLATOR,
        mask_for_the_source=("mask(target.size(1))", "mask(source.size(1))"),
        targets_not_cut=("target[:, 1:].reshape(-1))", "target.reshape(-1))"),
    ),
    *_faults("counted", COUNTED, another_axis_squeezed=("x.unsqueeze(1)).squeeze(1)", "x.unsqueeze(1)).squeeze(0)")),
    *_faults("nodes", NODES, targets_of_all_nodes=("kinds[known])", "kinds)")),
    *_faults("maps", MAPS, shortcut_of_another_level=("[self.up_one(wide), first]", "[self.up_one(wide), second]")),
]
UNSURE = [
    *_faults(
        "digits", DIGITS.replace("len(self.labels)", "1 * len(self.labels)"), samples_twice=("1 * len", "2 * len")
    ),
    *_faults(
        "translator of one vocabulary",
        TRANSLATOR.replace("0, 30, 26", "0, 30, 30"),
        sides_exchanged=("model(source, target[:, :-1])", "model(target[:, :-1], source)"),
    ),
    *_faults("variational", VARIATIONAL, returned_in_another_order=(GIVES, "mean, spread, self.draw(drawn)")),
    *_faults("digits", DIGITS, classes_from_one=("randint(0, 4, (n,))", "randint(1, 5, (n,))")),
    *_faults("maps", MAPS, window_of_three=("4 * base, 2 * base, kernel_size=2", "4 * base, 2 * base, kernel_size=3")),
]
