"""Sound scripts in which one thing was written for another that fits as well: another network, input, axis, order or
mode. What the script does not tell is not safe; beside each stand twins that it does tell."""

from __future__ import annotations

END = """
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

NORM_ORDER = (
    """
x, y = torch.randn(40, 6), torch.randint(0, 3, (40,))
net = nn.Sequential(nn.LayerNorm(6), nn.Linear(6, 12), nn.ReLU(), nn.Linear(12, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for a, b in DataLoader(TensorDataset(x, y), batch_size=8):
    loss = F.cross_entropy(net(a), b)"""
    + END
)

CONV_ORDER = (
    """
x, y = torch.randn(20, 3, 8, 8), torch.randint(0, 4, (20,))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 6, 3, padding=1)
        self.norm1 = nn.BatchNorm2d(6)
        self.conv = nn.Conv2d(6, 10, 3, padding=1)
        self.norm2 = nn.BatchNorm2d(10)
        self.head = nn.Linear(10, 4)

    def forward(self, x):
        h = F.relu(self.norm1(self.stem(x)))
        h = F.relu(self.norm2(self.conv(h)))
        return self.head(h.mean((2, 3)))
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for a, b in DataLoader(TensorDataset(x, y), batch_size=6):
    loss = F.cross_entropy(net(a), b)"""
    + END
)

TWO_TOWERS = (
    """
users, items, rating = torch.randn(48, 6), torch.randn(48, 9), torch.rand(48)
u_net, i_net = nn.Linear(6, 8), nn.Linear(9, 8)
opt = torch.optim.SGD([*u_net.parameters(), *i_net.parameters()], lr=0.1)
for u, i, r in DataLoader(TensorDataset(users, items, rating), batch_size=10):
    loss = ((u_net(u) * i_net(i)).sum(1) - r).pow(2).mean() + 0.01 * i.pow(2).mean()"""
    + END
)

VAE = (
    """
data = torch.rand(50, 12)
enc, mean, spread, dec = nn.Linear(12, 10), nn.Linear(10, 4), nn.Linear(10, 4), nn.Linear(4, 12)
opt = torch.optim.SGD([p for m in (enc, mean, spread, dec) for p in m.parameters()], lr=0.05)
for (x,) in DataLoader(TensorDataset(data), batch_size=8):
    h = enc(x).tanh()
    mu, lv = mean(h), spread(h)
    z = mu + (0.5 * lv).exp() * torch.randn_like(mu)
    recon = dec(z)
    loss = F.mse_loss(recon, x, reduction="sum") / len(x) - 0.5 * (1 + lv - mu.pow(2) - lv.exp()).sum(1).mean()
    loss = loss + 0.01 * z.pow(2).mean()"""
    + END
)

TEACHER_MODE = (
    """
x = torch.randn(48, 6)
teacher = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Dropout(0.5), nn.Linear(8, 3))
student = nn.Sequential(nn.Linear(6, 5), nn.ReLU(), nn.Dropout(0.3), nn.Linear(5, 3))
opt = torch.optim.SGD(student.parameters(), lr=0.1)
teacher.eval()
student.train()
for (a,) in DataLoader(TensorDataset(x), batch_size=8):
    with torch.no_grad():
        aim = teacher(a).softmax(-1)
    loss = F.cross_entropy(student(a), aim)"""
    + END
)

SQUARE_CONV = (
    """
x, y = torch.randn(30, 8, 8), torch.randint(0, 3, (30,))
conv, head = nn.Conv1d(8, 5, 3, padding=1), nn.Linear(5, 3)
opt = torch.optim.SGD([*conv.parameters(), *head.parameters()], lr=0.1)
for a, b in DataLoader(TensorDataset(x, y), batch_size=8):
    h = conv(a.transpose(1, 2)).relu().mean(dim=2)
    loss = F.cross_entropy(head(h), b)"""
    + END
)

HEADS_SQUARE = (
    """
x, y = torch.randn(24, 4, 16), torch.randint(0, 3, (24,))
class Net(nn.Module):
    def __init__(self, width=16, heads=4):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v = nn.Linear(width, width), nn.Linear(width, width), nn.Linear(width, width)
        self.head = nn.Linear(width, 3)

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.heads, -1).transpose(1, 2)

    def forward(self, x):
        q, k, v = self.split(self.q(x)), self.split(self.k(x)), self.split(self.v(x))
        w = (q @ k.transpose(-2, -1) / 2).softmax(-1)
        h = (w @ v).transpose(1, 2).flatten(2)
        return self.head(h.mean(1))
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for a, b in DataLoader(TensorDataset(x, y), batch_size=5):
    loss = F.cross_entropy(net(a), b)"""
    + END
)

CLIP_SQUARE = (
    """
imgs, txts = torch.randn(40, 8), torch.randn(40, 6)
a_net, b_net = nn.Linear(8, 8), nn.Linear(6, 8)
opt = torch.optim.SGD([*a_net.parameters(), *b_net.parameters()], lr=0.1)
for i, t in DataLoader(TensorDataset(imgs, txts), batch_size=8):
    a, b = F.normalize(a_net(i), dim=1), F.normalize(b_net(t), dim=1)
    sim = a @ b.t() / 0.1
    aim = torch.arange(len(i))
    loss = (F.cross_entropy(sim, aim) + F.cross_entropy(sim.t(), aim)) / 2"""
    + END
)

DQN = (
    """
s, a, r, n, d = torch.randn(40, 4), torch.randint(0, 3, (40,)), torch.randn(40), torch.randn(40, 4), torch.rand(40)
q, slow = nn.Linear(4, 3), nn.Linear(4, 3)
slow.load_state_dict(q.state_dict())
opt = torch.optim.SGD(q.parameters(), lr=0.1)
for s_, a_, r_, n_, d_ in DataLoader(TensorDataset(s, a, r, n, (d < 0.2).float()), batch_size=8):
    with torch.no_grad():
        goal = r_ + 0.9 * (1 - d_) * slow(n_).max(1).values
    got = q(s_).gather(1, a_.unsqueeze(1)).squeeze(1)
    loss = F.smooth_l1_loss(got, goal)"""
    + END
)

GAN = """
real = torch.randn(40, 4)
G = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 4))
D = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
g_opt, d_opt = torch.optim.SGD(G.parameters(), lr=0.1), torch.optim.SGD(D.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(real), batch_size=8):
    fake = G(torch.randn(len(x), 3))
    one, zero = torch.ones(len(x), 1), torch.zeros(len(x), 1)
    d_loss = F.binary_cross_entropy_with_logits(D(x), one) + F.binary_cross_entropy_with_logits(D(fake.detach()), zero)
    d_opt.zero_grad()
    d_loss.backward()
    d_opt.step()
    g_loss = F.binary_cross_entropy_with_logits(D(fake), one)
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
"""

UNET = (
    """
x, y = torch.randn(12, 1, 8, 8), torch.randint(0, 3, (12, 8, 8))
class Net(nn.Module):
    def __init__(self, c=4):
        super().__init__()
        self.a, self.b = nn.Conv2d(1, c, 3, padding=1), nn.Conv2d(c, 2 * c, 3, padding=1)
        self.c = nn.Conv2d(3 * c, c, 3, padding=1)
        self.up = nn.Upsample(scale_factor=2)
        self.out = nn.Conv2d(c, 3, 1)

    def forward(self, x):
        one = self.a(x).relu()
        two = self.b(F.max_pool2d(one, 2)).relu()
        three = self.c(torch.cat([one, self.up(two)], 1)).relu()
        return self.out(three)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for a, b in DataLoader(TensorDataset(x, y), batch_size=5):
    loss = F.cross_entropy(net(a), b)"""
    + END
)

PIXELS = (
    """
x = torch.rand(40, 12)
net = nn.Sequential(nn.Linear(12, 6), nn.ReLU(), nn.Linear(6, 12), nn.Sigmoid())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for (a,) in DataLoader(TensorDataset(x), batch_size=8):
    loss = F.binary_cross_entropy(net(a), a)"""
    + END
    + """
with torch.no_grad():
    print((net(x) - x).abs().mean())
"""
)

POOLED = (
    """
x, y = torch.randn(36, 3, 20), torch.randint(0, 4, (36,))
body = nn.Sequential(nn.Conv1d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten())
head = nn.Linear(8, 4)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for a, b in DataLoader(TensorDataset(x, y), batch_size=6):
    loss = F.cross_entropy(head(body(a)), b)"""
    + END
)

FILM = (
    """
class Modulated(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.GRU(4, width, batch_first=True)
        self.scale = nn.Linear(3, width)
        self.head = nn.Linear(width, 2)

    def forward(self, steps, cond):
        h, _ = self.body(steps)
        return self.head((h * (1 + self.scale(cond).unsqueeze(1))).mean(1))


steps, cond, y = torch.randn(40, 7, 4), torch.randn(40, 3), torch.randint(0, 2, (40,))
net = Modulated(10)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for s, c, t in DataLoader(TensorDataset(steps, cond, y), batch_size=8):
    loss = F.cross_entropy(net(s, c), t)"""
    + END
)

CODEC = (
    """
pictures = torch.rand(30, 1, 12, 12)
class Codec(nn.Module):
    def __init__(self):
        super().__init__()
        self.shrink = nn.Sequential(nn.Conv2d(1, 8, 4, 4), nn.ReLU(), nn.Flatten(), nn.Linear(72, 5))
        self.grow = nn.Linear(5, 72)
        self.paint = nn.ConvTranspose2d(8, 1, 4, 4)

    def forward(self, x):
        return self.paint(self.grow(self.shrink(x)).view(x.size(0), 8, 3, 3))
net = Codec()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for (x,) in DataLoader(TensorDataset(pictures), batch_size=8):
    loss = F.mse_loss(net(x), x)"""
    + END
)

CROSSES = (
    """
h, links, kind = torch.randn(20, 6), torch.rand(20, 20), torch.randint(0, 3, (20,))
class Cross(nn.Module):
    def __init__(self, given, made):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(given, made) / 3)

    def forward(self, h, links):
        return links @ (h @ self.weight)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = Cross(6, 8), Cross(8, 3)

    def forward(self, h, links):
        g = F.relu(self.one(h, links))
        return self.two(g, links)
net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for step in range(3):
    loss = F.cross_entropy(net(h, links), kind)"""
    + END
)

MIXED = """
one, two = torch.randn(40, 6), torch.randn(40, 5)
a, b = nn.Linear(6, 4), nn.Linear(5, 4)
opt = torch.optim.SGD([*a.parameters(), *b.parameters()], lr=0.1)
for epoch in range(2):
    order = torch.randperm(40)
    left, right = one[order], two[order]
    for at in range(0, 40, 10):
        score = a(left[at : at + 10]) @ b(right[at : at + 10]).T
        loss = F.cross_entropy(score, torch.arange(10))
        opt.zero_grad()
        loss.backward()
        opt.step()
"""

TOLD = (
    ("codec 0", CODEC, "view(x.size(0), 8, 3, 3)", "view(x.size(0), 4, 3, 3)"),
    ("codec 1", CODEC, "SGD(net.parameters(), lr", "SGD(net.parameters, lr"),
    ("crosses 0", CROSSES, "self.two(g, links)", "self.two(links, g)"),
    ("mixed 0", MIXED, "two[order]", "two"),
    ("film 0", FILM, "unsqueeze(1)", "unsqueeze(2)"),
    ("pixels 0", PIXELS, "binary_cross_entropy(", "binary_cross_entropy_with_logits("),
    ("conv order 0", CONV_ORDER, "self.norm1(self.stem(x))", "self.norm2(self.stem(x))"),
    ("two towers 2", TWO_TOWERS, "u_net(u) * i_net(i)", "u_net(i) * i_net(u)"),
    ("teacher mode 3", TEACHER_MODE, "student.parameters(), lr", "teacher.parameters(), lr"),
    ("square conv 0", SQUARE_CONV, "mean(dim=2)", "mean(dim=1)"),
    ("heads square 2", HEADS_SQUARE, ".softmax(-1)", ".softmax(-2)"),
    ("clip square 4", CLIP_SQUARE, "b_net(t)", "b_net(i)"),
    ("dqn 0", DQN, ".squeeze(1)\n", "\n"),
    ("gan 3", GAN, "g_opt.zero_grad()", "d_opt.zero_grad()"),
    ("unet 3", UNET, "self.out(three)", "self.out(two)"),
)
NOT_TOLD = (
    ("pooled 0", POOLED, "nn.AdaptiveAvgPool1d(1), nn.Flatten()", "nn.Flatten(), nn.AdaptiveAvgPool1d(1)"),
    ("codec 2", CODEC, "self.grow = nn.Linear(5, 72)", "self.grow = nn.Linear(5, 36)"),
    ("crosses 1", CROSSES, "Cross(6, 8), Cross(8, 3)", "Cross(6, 20), Cross(8, 3)"),
    ("gan 5", GAN, "nn.Linear(3, 8)", "nn.Linear(4, 8)"),
    ("film 1", FILM, "nn.Linear(3, width)", "nn.Linear(3, 7)"),
    (
        "norm order 0",
        NORM_ORDER,
        "nn.LayerNorm(6), nn.Linear(6, 12), nn.ReLU()",
        "nn.Linear(6, 12), nn.LayerNorm(6), nn.ReLU()",
    ),
    ("conv order 2", CONV_ORDER, "self.norm2(self.conv(h))", "self.conv(self.norm2(h))"),
    ("conv order 4", CONV_ORDER, "h.mean((2, 3))", "h.mean((1, 2))"),
    ("two towers 0", TWO_TOWERS, "i_net(i)", "i_net(u)"),
    ("vae 0", VAE, "dec(z)", "dec(h)"),
    ("vae 2", VAE, "mean(h), spread(h)", "mean(x), spread(h)"),
    ("teacher mode 0", TEACHER_MODE, "teacher.eval()\nstudent.train()", "student.eval()"),
    ("teacher mode 5", TEACHER_MODE, "F.cross_entropy(student(a), aim)", "F.cross_entropy(teacher(a), aim)"),
    ("square conv 1", SQUARE_CONV, "nn.Linear(5, 3)", "nn.Linear(8, 3)"),
    ("heads square 4", HEADS_SQUARE, "w @ v", "v @ w"),
    ("clip square 0", CLIP_SQUARE, "a @ b.t()", "a @ b"),
    ("clip square 5", CLIP_SQUARE, "a_net(i)", "a_net(t)"),
    ("dqn 7", DQN, "q(s_).gather", "slow(s_).gather"),
    ("gan 4", GAN, "g_opt.step()", "d_opt.step()"),
    ("unet 4", UNET, "F.max_pool2d(one, 2)", "F.max_pool2d(x, 2)"),
    ("unet 5", UNET, "torch.cat([one, self.up(two)], 1)", "torch.cat([one, two], 1)"),
)
