"""Sound scripts of other styles, each with the places that faults change: `(script, text, {fault: (old, new)})`."""

UNET = """
pictures = torch.rand(14, 1, 16, 16)
outlines = (pictures > 0.5).long().squeeze(1)


def block(c_in, c_out):
    return nn.Sequential(nn.Conv2d(c_in, c_out, 3, padding=1), nn.BatchNorm2d(c_out), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self, base=4, n_classes=2):
        super().__init__()
        self.enc1 = block(1, base)
        self.enc2 = block(base, base * 2)
        self.bottom = block(base * 2, base * 4)
        self.up2 = nn.ConvTranspose2d(base * 4, base * 2, 2, stride=2)
        self.dec2 = block(base * 4, base * 2)
        self.up1 = nn.ConvTranspose2d(base * 2, base, 2, stride=2)
        self.dec1 = block(base * 2, base)
        self.final = nn.Conv2d(base, n_classes, 1)

    def forward(self, x):
        e1 = self.enc1(x)
        e2 = self.enc2(F.max_pool2d(e1, 2))
        b = self.bottom(F.max_pool2d(e2, 2))
        d2 = self.dec2(torch.cat([self.up2(b), e2], dim=1))
        d1 = self.dec1(torch.cat([self.up1(d2), e1], dim=1))
        return self.final(d1)


def train(epochs=1):
    unet = UNet()
    optim = torch.optim.Adam(unet.parameters(), lr=1e-3)
    dl = DataLoader(TensorDataset(pictures, outlines), batch_size=4)
    unet.train()
    for _ in range(epochs):
        for x, y in dl:
            out = unet(x)
            loss = F.cross_entropy(out, y)
            optim.zero_grad()
            loss.backward()
            optim.step()
    return unet


trained = train()
"""
SEQ2SEQ = """
BOS, SRC_V, TGT_V = 1, 13, 17
source = torch.randint(3, SRC_V, (22, 6))
target = torch.cat([torch.full((22, 1), BOS), torch.randint(3, TGT_V, (22, 8))], dim=1)


class Encoder(nn.Module):
    def __init__(self, emb=8, hid=10):
        super().__init__()
        self.emb = nn.Embedding(SRC_V, emb)
        self.rnn = nn.GRU(emb, hid, batch_first=True)

    def forward(self, src):
        return self.rnn(self.emb(src))


class Decoder(nn.Module):
    def __init__(self, emb=8, hid=10):
        super().__init__()
        self.emb = nn.Embedding(TGT_V, emb)
        self.rnn = nn.GRU(emb + hid, hid, batch_first=True)
        self.proj = nn.Linear(hid, TGT_V)

    def forward(self, tgt, memory, state):
        weights = torch.bmm(state[-1].unsqueeze(1), memory.transpose(1, 2)).softmax(dim=-1)
        context = torch.bmm(weights, memory)
        context = context.expand(-1, tgt.size(1), -1)
        out, state = self.rnn(torch.cat([self.emb(tgt), context], dim=-1), state)
        return self.proj(out)


encoder, decoder = Encoder(), Decoder()
adam = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-2)
for src, tgt in DataLoader(TensorDataset(source, target), batch_size=6):
    memory, state = encoder(src)
    logits = decoder(tgt[:, :-1], memory, state)
    loss = F.cross_entropy(logits.reshape(-1, TGT_V), tgt[:, 1:].reshape(-1))
    adam.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
    adam.step()
"""
FORECAST = """
series = torch.sin(torch.linspace(0, 20, 140)).unsqueeze(1) + 0.05 * torch.randn(140, 3)
LOOK, AHEAD = 12, 4
windows = torch.stack([series[i : i + LOOK] for i in range(100)])
futures = torch.stack([series[i + LOOK : i + LOOK + AHEAD, 0] for i in range(100)])


class TCN(nn.Module):
    def __init__(self, channels=3, width=8, horizon=AHEAD):
        super().__init__()
        self.c1 = nn.Conv1d(channels, width, 3, dilation=1)
        self.c2 = nn.Conv1d(width, width, 3, dilation=2)
        self.last = nn.Linear(width, horizon)

    def forward(self, past):
        h = past.transpose(1, 2)
        h = F.relu(self.c1(F.pad(h, (2, 0))))
        h = F.relu(self.c2(F.pad(h, (4, 0))))
        return self.last(h[:, :, -1])


tcn = TCN()
sgd = torch.optim.SGD(tcn.parameters(), lr=0.02, momentum=0.9)
for past, future in DataLoader(TensorDataset(windows, futures), batch_size=30):
    sgd.zero_grad()
    forecast = tcn(past)
    error = (forecast - future).pow(2).mean()
    error.backward()
    sgd.step()
"""
DISTIL = """
feats, lbls = torch.randn(33, 10), torch.randint(0, 4, (33,))
teacher = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 4)).eval()
student = nn.Sequential(nn.Linear(10, 6), nn.Tanh(), nn.Linear(6, 4))
opt = torch.optim.SGD(student.parameters(), lr=0.1)
T = 2.0
for f, l in DataLoader(TensorDataset(feats, lbls), batch_size=10):
    with torch.no_grad():
        soft = F.softmax(teacher(f) / T, dim=-1)
    out = student(f)
    kd = F.kl_div(F.log_softmax(out / T, dim=-1), soft, reduction="batchmean") * T * T
    loss = 0.5 * kd + 0.5 * F.cross_entropy(out, l)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
DIFFUSION = """
STEPS = 20
betas = torch.linspace(1e-4, 0.1, STEPS)
alphas_bar = torch.cumprod(1.0 - betas, dim=0)
clean = torch.randn(36, 2)


class Denoiser(nn.Module):
    def __init__(self, dim=2, hidden=24, time_dim=8):
        super().__init__()
        self.time = nn.Embedding(STEPS, time_dim)
        self.net = nn.Sequential(nn.Linear(dim + time_dim, hidden), nn.SiLU(), nn.Linear(hidden, dim))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.time(t)], dim=-1))


denoiser = Denoiser()
opt = torch.optim.Adam(denoiser.parameters(), lr=1e-3)
for (x0,) in DataLoader(TensorDataset(clean), batch_size=9):
    t = torch.randint(0, STEPS, (x0.shape[0],))
    noise = torch.randn_like(x0)
    scale = alphas_bar[t].unsqueeze(-1)
    xt = scale.sqrt() * x0 + (1 - scale).sqrt() * noise
    loss = F.mse_loss(denoiser(xt, t), noise)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
DQN = """
obs, nxt = torch.randn(40, 5), torch.randn(40, 5)
acts, rews, dones = torch.randint(0, 3, (40,)), torch.randn(40), (torch.rand(40) < 0.2).float()


def make():
    return nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 3))


online, frozen = make(), make()
frozen.load_state_dict(online.state_dict())
opt = torch.optim.RMSprop(online.parameters(), lr=1e-3)
replay = DataLoader(TensorDataset(obs, acts, rews, nxt, dones), batch_size=12)
for step, (o, a, r, n, d) in enumerate(replay):
    chosen = online(o).gather(1, a.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        best = frozen(n).max(dim=1).values
        goal = r + 0.99 * (1 - d) * best
    loss = F.smooth_l1_loss(chosen, goal)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 2 == 1:
        frozen.load_state_dict(online.state_dict())
"""
SLOTS = """
parts = torch.randn(14, 6, 8)
kinds = torch.randint(0, 3, (14,))


class Slots(nn.Module):
    def __init__(self, d=8, slots=4):
        super().__init__()
        self.d, self.start = d, nn.Parameter(torch.randn(slots, d) * 0.1)
        self.q, self.k, self.v = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.cell, self.out = nn.GRUCell(d, d), nn.Linear(d, 3)

    def forward(self, x):
        b = x.size(0)
        slots = self.start.expand(b, -1, -1)
        for _ in range(2):
            weights = (self.q(slots) @ self.k(x).transpose(1, 2)).softmax(dim=1) + 1e-6
            new = (weights / weights.sum(dim=-1, keepdim=True)) @ self.v(x)
            slots = self.cell(new.reshape(-1, self.d), slots.reshape(-1, self.d)).view(b, -1, self.d)
        return self.out(slots.mean(dim=1))


model = Slots()
adam = torch.optim.Adam(model.parameters(), lr=1e-2)
for x, y in DataLoader(TensorDataset(parts, kinds), batch_size=5):
    loss = F.cross_entropy(model(x), y)
    adam.zero_grad()
    loss.backward()
    adam.step()
"""
HEADS = """
words = torch.randint(0, 11, (15, 7))
marks = torch.randint(0, 4, (15, 7))


class Attention(nn.Module):
    def __init__(self, d=12, heads=3):
        super().__init__()
        self.heads, self.qkv, self.proj = heads, nn.Linear(d, 3 * d), nn.Linear(d, d)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).reshape(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        weights = (q @ k.transpose(-2, -1) / (d // self.heads) ** 0.5).softmax(dim=-1)
        return self.proj((weights @ v).transpose(1, 2).reshape(b, n, d))


embed, mix, head = nn.Embedding(11, 12), Attention(), nn.Linear(12, 4)
params = [*embed.parameters(), *mix.parameters(), *head.parameters()]
sgd = torch.optim.SGD(params, lr=0.1)
for ids, given in DataLoader(TensorDataset(words, marks), batch_size=4):
    scores = head(mix(embed(ids)))
    sure = scores.detach().softmax(dim=-1).amax(dim=-1).flatten()
    each = F.cross_entropy(scores.flatten(0, 1), given.flatten(), reduction="none")
    loss = each.mean() + (each * (sure > 0.3)).mean()
    sgd.zero_grad()
    loss.backward()
    sgd.step()
"""
TWINS = """
HID, ACT = 10, 2
critic = nn.ModuleDict({"one": nn.Sequential(nn.Linear(4 + ACT, HID), nn.ReLU(), nn.Linear(HID, 1))})
slow = copy.deepcopy(critic).requires_grad_(False)
rows, moves = torch.randn(30, 4), torch.randn(30, ACT)
adam = torch.optim.Adam(critic.parameters(), lr=1e-2)
for start in range(0, 30, 10):
    both = torch.cat([rows[start : start + 10], moves[start : start + 10]], dim=1)
    goal = 1.0 + 0.9 * slow["one"](both)
    loss = F.mse_loss(critic["one"](both), goal)
    adam.zero_grad()
    loss.backward()
    adam.step()
    slow.load_state_dict(critic.state_dict())
"""
PAIRED = """
left, right = torch.randn(20, 6), torch.randn(20, 5)
one, other = nn.Linear(6, 8), nn.Linear(5, 8)
sgd = torch.optim.SGD([*one.parameters(), *other.parameters()], lr=0.1)
for x, y in DataLoader(TensorDataset(left, right), batch_size=6):
    a, b = one(x), other(y)
    apart = (a.unsqueeze(1) - b.unsqueeze(0)).pow(2).sum(dim=2)
    near = torch.exp(-apart)
    loss = F.cross_entropy(a @ b.T, torch.arange(len(x))) + near.mean()
    sgd.zero_grad()
    loss.backward()
    sgd.step()
"""

RIVALS = """
noise, shapes = 4, torch.rand(22, 1, 8, 8)
painter = nn.Sequential(nn.Linear(noise, 18), nn.ReLU(), nn.Linear(18, 64), nn.Unflatten(1, (1, 8, 8)))
judge = nn.Sequential(nn.Conv2d(1, 5, 4, stride=2, padding=1), nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(80, 1))
paint = torch.optim.SGD(painter.parameters(), lr=0.05)
judging = torch.optim.SGD(judge.parameters(), lr=0.05)
for (real,) in DataLoader(TensorDataset(shapes), batch_size=6):
    paint.zero_grad()
    judging.zero_grad()
    drawn = painter(torch.randn(len(real), noise))
    fault = F.softplus(-judge(real)).mean() + F.softplus(judge(drawn.detach())).mean()
    fault.backward()
    judging.step()
    again = painter(torch.randn(len(real), noise))
    fooled = F.softplus(-judge(again)).mean()
    fooled.backward()
    paint.step()
"""
TRANSLATED = """
class Core(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.out = nn.Embedding(14, 8), nn.Linear(8, 14)
        self.core = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0, batch_first=True)

    def forward(self, read, written):
        hidden = nn.Transformer.generate_square_subsequent_mask(written.size(1))
        return self.out(self.core(self.words(read), self.words(written), tgt_mask=hidden))


net, pairs = Core(), TensorDataset(torch.randint(0, 14, (20, 6)), torch.randint(0, 14, (20, 9)))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for read, written in DataLoader(pairs, batch_size=8):
    scores = net(read, written[:, :-1])
    loss = F.cross_entropy(scores.transpose(1, 2), written[:, 1:])
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
STYLES = (
    (
        "unet",
        UNET,
        {
            "joined_channels": ("self.dec2 = block(base * 4, base * 2)", "self.dec2 = block(base * 2, base * 2)"),
            "joined_along_rows": ("torch.cat([self.up1(d2), e1], dim=1)", "torch.cat([self.up1(d2), e1], dim=2)"),
            "mask_with_channel": ("(pictures > 0.5).long().squeeze(1)", "(pictures > 0.5).long()"),
            "up_stride": ("nn.ConvTranspose2d(base * 2, base, 2, stride=2)", "nn.ConvTranspose2d(base * 2, base, 2)"),
        },
    ),
    (
        "seq2seq",
        SEQ2SEQ,
        {
            "context_forgotten": ("nn.GRU(emb + hid, hid", "nn.GRU(emb, hid"),
            "attention_over_batch": (".softmax(dim=-1)", ".softmax(dim=0)"),
            "shift_forgotten": ("tgt[:, 1:].reshape(-1)", "tgt[:, :-1].reshape(-1)"),
            "encoder_time_first": ("self.rnn = nn.GRU(emb, hid, batch_first=True)", "self.rnn = nn.GRU(emb, hid)"),
        },
    ),
    (
        "forecast",
        FORECAST,
        {
            "not_turned": ("h = past.transpose(1, 2)", "h = past"),
            "last_channel": ("h[:, :, -1]", "h[:, -1]"),
            "future_with_an_axis": ("AHEAD, 0] for", "AHEAD, :1] for"),
        },
    ),
    (
        "distil",
        DISTIL,
        {
            "over_samples": ("F.softmax(teacher(f) / T, dim=-1)", "F.softmax(teacher(f) / T, dim=0)"),
            "not_log": ("F.log_softmax(out / T, dim=-1)", "F.softmax(out / T, dim=-1)"),
        },
    ),
    (
        "diffusion",
        DIFFUSION,
        {
            "scale_of_the_batch": ("alphas_bar[t].unsqueeze(-1)", "alphas_bar[t]"),
            "time_forgotten": ("nn.Linear(dim + time_dim, hidden)", "nn.Linear(dim, hidden)"),
            "one_time": ("(x0.shape[0],))", "(1,))"),
        },
    ),
    (
        "dqn",
        DQN,
        {
            "column_of_chosen": ("a.unsqueeze(1)).squeeze(1)", "a.unsqueeze(1))"),
            "values_and_places": ("max(dim=1).values", "max(dim=1)"),
            "best_over_samples": ("max(dim=1).values", "max(dim=0).values"),
        },
    ),
    (
        "slots",
        SLOTS,
        {
            "state_not_folded": ("slots.reshape(-1, self.d)).view", "slots).view"),
            "input_not_folded": ("self.cell(new.reshape(-1, self.d)", "self.cell(new"),
        },
    ),
    (
        "heads_by_hand",
        HEADS,
        {
            "method_before_product": ("(weights @ v).transpose(1, 2)", "weights @ v.transpose(1, 2)"),
            "axis_twice": (".permute(2, 0, 3, 1, 4)", ".permute(2, 0, 3, 3, 4)"),
            "all_merged": ("scores.flatten(0, 1)", "scores.flatten(0, -1)"),
            "product_before_comparison": ("(each * (sure > 0.3))", "(each * sure > 0.3)"),
            "sizes_of_the_view": (".reshape(b, n, d))", ".reshape(n, b, d))"),
        },
    ),
    ("twins", TWINS, {"size_in_a_copied_part": ("nn.Linear(HID, 1)", "nn.Linear(ACT, 1)")}),
    ("paired", PAIRED, {"summed_over_samples": ("a @ b.T", "b.T @ a")}),
    (
        "rivals",
        RIVALS,
        {
            "optimizer_of_the_other": ("paint = torch.optim.SGD(painter", "paint = torch.optim.SGD(judge"),
            "both_detached": ("judge(again)", "judge(again.detach())"),
        },
    ),
    ("translated", TRANSLATED, {"mask_not_passed": (", tgt_mask=hidden", "")}),
)
