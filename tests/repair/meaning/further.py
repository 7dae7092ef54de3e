"""More faults of everyday shapes: joined axes, values that two networks share, a state that begins as nothing, views that
ask for more than a layer makes."""

from __future__ import annotations

from .planted import _faults

PATCHED = """
class Tokens(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.cut, self.first = nn.Conv1d(3, width, 4, stride=4), nn.Parameter(torch.zeros(1, 1, width))
        self.mix, self.out = nn.Linear(width, width), nn.Linear(width, 4)

    def forward(self, series):
        steps = self.cut(series).transpose(1, 2)
        tokens = torch.cat([self.first.repeat(len(series), 1, 1), steps], dim=1)
        return self.out(torch.relu(self.mix(tokens)).mean(dim=1))


net = Tokens()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for series, kind in DataLoader(TensorDataset(torch.randn(22, 3, 28), torch.randint(0, 4, (22,))), batch_size=6):
    opt.zero_grad()
    F.cross_entropy(net(series), kind).backward()
    opt.step()
"""
DRAWN = """
noise, size = 4, 12
pen = nn.Sequential(nn.Linear(noise, 16), nn.ReLU(), nn.Linear(16, size))
eye = nn.Sequential(nn.Linear(size, 8), nn.ReLU(), nn.Linear(8, 1))
first, second = torch.optim.SGD(eye.parameters(), lr=0.1), torch.optim.SGD(pen.parameters(), lr=0.1)
for (seen,) in DataLoader(TensorDataset(torch.rand(26, size)), batch_size=7):
    lines = pen(torch.randn(len(seen), noise))
    first.zero_grad()
    (F.softplus(-eye(seen)).mean() + F.softplus(eye(lines.tanh().detach())).mean()).backward()
    first.step()
    second.zero_grad()
    F.softplus(-eye(lines.tanh())).mean().backward()
    second.step()
"""
CARRIED = """
read, out = nn.GRU(3, 9, batch_first=True), nn.Linear(9, 3)
opt = torch.optim.SGD([*read.parameters(), *out.parameters()], lr=0.1)
record, state = torch.randn(2, 40, 3), None
for at in range(0, 36, 9):
    made, state = read(record[:, at : at + 9], state)
    state = state.detach()
    loss = F.mse_loss(out(made), record[:, at + 1 : at + 10])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
BENT = """
turn, lift, out = nn.Linear(4, 4 * 4), nn.Linear(4, 9), nn.Linear(9, 3)
opt = torch.optim.SGD([*turn.parameters(), *lift.parameters(), *out.parameters()], lr=0.1)
for spots, kind in DataLoader(TensorDataset(torch.randn(24, 11, 4), torch.randint(0, 3, (24,))), batch_size=7):
    matrix = turn(spots.mean(dim=1)).view(-1, 4, 4) + torch.eye(4)
    loss = F.cross_entropy(out(lift(torch.bmm(spots, matrix)).amax(dim=1)), kind)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
WINDOWS = """
words, before = 14, 3
embed, hidden, out = nn.Embedding(words, 4), nn.Linear(before * 4, 8), nn.Linear(8, words)
opt = torch.optim.SGD([*embed.parameters(), *hidden.parameters(), *out.parameters()], lr=0.1)
for seen, due in DataLoader(
    TensorDataset(torch.randint(0, words, (21, before)), torch.randint(0, words, (21,))), batch_size=5
):
    flat = embed(seen).view(-1, before * 4)
    loss = F.cross_entropy(out(torch.tanh(hidden(flat))), due)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
SAME_AXES = """
net = nn.Linear(6, 8)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(torch.randn(24, 6)), batch_size=8):
    a, b = net(x), net(x.flip(1))
    a, b = a - a.mean(dim=0), b - b.mean(dim=0)
    loss = (a - b).pow(2).mean() - 0.1 * (a * b).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
LIKED = """
table = torch.randn(21, 3) @ torch.randn(3, 15)
liked = (table > table.quantile(0.7, dim=1, keepdim=True)).float()
one, other = nn.Embedding(21, 4), nn.Embedding(15, 4)
opt = torch.optim.SGD([*one.parameters(), *other.parameters()], lr=0.5)
for step in range(5):
    loss = F.binary_cross_entropy_with_logits(one.weight @ other.weight.T, liked)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
RANKED = """
item, score = nn.Sequential(nn.Linear(5, 12), nn.ReLU()), nn.Linear(12, 1)
opt = torch.optim.SGD([*item.parameters(), *score.parameters()], lr=0.1)
sets = torch.randn(40, 10, 5)
for some, gain in DataLoader(TensorDataset(sets, sets.amax(dim=(1, 2))), batch_size=9):
    made = score(item(some).sum(dim=1)).squeeze(-1)
    apart = made[:, None] - made
    loss = F.softplus(-apart[gain[:, None] > gain]).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
REPLAYED = """
import random
random.seed(0)
values = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 3))
slow, opt, kept = copy.deepcopy(values), torch.optim.SGD(values.parameters(), lr=0.1), []
for step in range(40):
    kept.append((torch.randn(4), random.randrange(3), random.random(), torch.randn(4), random.random() < 0.2))
    if len(kept) < 16:
        continue
    here, did, got, there, over = zip(*random.sample(kept, 12))
    did, got, over = torch.tensor(did), torch.tensor(got), torch.tensor(over, dtype=torch.float32)
    told = values(torch.stack(here)).gather(1, did[:, None]).squeeze(1)
    with torch.no_grad():
        goal = got + 0.9 * (1 - over) * slow(torch.stack(there)).amax(dim=1)
    loss = F.smooth_l1_loss(told, goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 8 == 0:
        slow.load_state_dict(values.state_dict())
"""
SCALED = """
table = torch.rand(80, 4) * torch.tensor([700.0, 900.0, 800.0, 600.0])
due, known, rest = (table[:, 0] - table[:, 2]) / 1000, table[:56], table[56:]
low, high = known.amin(0), known.amax(0)
net = nn.Sequential(nn.Linear(4, 12), nn.ReLU(), nn.Linear(12, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(6):
    ready = (known - low) / (high - low)
    loss = F.mse_loss(net(ready).squeeze(-1), due[:56])
    opt.zero_grad()
    loss.backward()
    opt.step()
net.eval()
with torch.no_grad():
    far = (net((rest - low) / (high - low)).squeeze(-1) - due[56:]).abs().mean().item()
"""
FURTHER = [
    *_faults("patched", PATCHED, joined_before_turned=("self.cut(series).transpose(1, 2)", "self.cut(series)")),
    *_faults("drawn", DRAWN, not_detached=("lines.tanh().detach()", "lines.tanh()")),
    *_faults("carried", CARRIED, state_keeps_its_graph=("    state = state.detach()\n", "")),
    *_faults("bent", BENT, too_few_for_the_matrix=("nn.Linear(4, 4 * 4)", "nn.Linear(4, 4 * 2)")),
    *_faults("windows", WINDOWS, samples_last=("view(-1, before * 4)", "view(before * 4, -1)")),
    *_faults("liked", LIKED, axis_of_the_quantile_lost=(", keepdim=True", "")),
    *_faults("ranked", RANKED, summed_over_features=(".sum(dim=1)", ".sum(dim=-1)")),
    *_faults("replayed", REPLAYED, past_the_end=(" * (1 - over)", "")),
    *_faults("scaled", SCALED, rest_as_it_is=("net((rest - low) / (high - low))", "net(rest)")),
    *_faults("same_axes", SAME_AXES, one_over_features=("b.mean(dim=0)", "b.mean(dim=1)")),
]
