"""Cases of SW270."""

_LOOP = """
net = Net()
opt = torch.optim.Adam(net.parameters())
data = TensorDataset(torch.randint(0, 20, (32, 8)), torch.randint(0, 2, (32,)))
for x, y in DataLoader(data, batch_size=8):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

_HEAD = """
import torch
from torch import nn, Tensor
from torch.utils.data import DataLoader, TensorDataset
torch.manual_seed(0)
"""

_COMMENTED = (
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 8)
        self.mix = nn.Linear(8, 8)
        self.head = nn.Linear(8, 2)
    def forward(self, tokens):
        emb = self.embed(tokens)        # (B, T, D)
        emb = emb.transpose(0, 1)       # FIRST
        h = self.mix(emb).relu()        # SECOND
        return self.head(h.mean(0))     # (B, 2)
"""
    + _LOOP
)

_ANNOTATED = (
    _HEAD
    + """
from jaxtyping import Float, Int
class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 8)
    def forward(self, tokens: Int[Tensor, "batch seq"]) -> Float[Tensor, "batch seq dim"]:
        return self.embed(tokens)
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(8, 8)
    def forward(self, h: Float[Tensor, "ORDER dim"]):
        return self.gru(h)[0]
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encode, self.read, self.head = Encoder(), Reader(), nn.Linear(8, 2)
    def forward(self, tokens):
        return self.head(self.read(self.encode(tokens).transpose(0, 1))[-1])
"""
    + _LOOP
)

_EINOPS = (
    _HEAD
    + """
from einops import rearrange
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.qk, self.head = nn.Embedding(20, 8), nn.Linear(8, 16), nn.Linear(8, 2)
    def forward(self, tokens):
        x = self.embed(tokens)
        q, k = self.qk(x).chunk(2, -1)
        q = rearrange(q, "b n (h d) -> b h n d", h=2)
        k = rearrange(k, "PATTERN (h d) -> b h n d", h=2)
        a = (q @ k.transpose(-2, -1)).softmax(-1)
        o = rearrange(a @ q, "b h n d -> b n (h d)")
        return self.head(o.mean(1))
"""
    + _LOOP
)

_UNPACKED = (
    _HEAD
    + """
class Mix(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(8, 8)
    def forward(self, x):
        FIRST, d = x.shape
        assert x.shape == (SECOND, d)
        return self.lin(x).relu()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.mix, self.head = nn.Embedding(20, 8), Mix(), nn.Linear(8, 2)
    def forward(self, tokens):
        b, t = tokens.shape
        return self.head(self.mix(self.embed(tokens)).mean(1))
"""
    + _LOOP
)

_DOCUMENTED = (
    _HEAD
    + '''
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(20, 8), nn.Linear(8, 2)
    def pool(self, states):
        """Mean over time.

        states: Tensor of shape [ORDER, hidden]
        """
        return states.mean(DIM)
    def forward(self, tokens):
        """
        tokens (Tensor): [batch size, seq len]
        """
        return self.head(self.pool(self.embed(tokens)))
'''
    + _LOOP
)

_TIMES = (
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.head = nn.Embedding(20, 8), nn.LSTM(8, 8, 2, bidirectional=True), nn.Linear(8, 2)
    def forward(self, x):
        # x: N x L
        out, (h, c) = self.rnn(self.embed(x.t()))      # L x N x 2*H, n_layers*2 x N x H, n_layers*2 x N x H
        out = out.TURN                                 # N x L x 2*H
        return self.head(out[:, -1, :8] + h[-1])
"""
    + _LOOP
)

_SHARED = (
    _HEAD
    + """
class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(8, 16), nn.Linear(16, 8)
    def forward(self, x):
        n, t, c = x.shape
        return self.b(self.a(x).relu())     # (n, t, c)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.tokens, self.channels, self.head = nn.Embedding(20, 8), Mlp(), Mlp(), nn.Linear(8, 2)
    def forward(self, ids):
        x = self.embed(ids)                                         # (n, t, c)
        x = x + self.tokens(x.transpose(1, 2)).transpose(1, 2)      # (n, t, c)
        x = x + self.channels(x)                                    # (n, t, c)
        return self.head(x.mean(1))
"""
    + _LOOP
)

_LOOSE = (
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.q, self.k, self.head = nn.Embedding(20, 8), nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 2)
    def forward(self, ids):
        x = self.embed(ids)                     # (B, T, C)
        y = x.transpose(1, 2)                   # (B, T, C) -> (B, C, T)
        z = x.transpose(1, 2)                   # swap (T, C)
        q, k = self.q(x), self.k(x)             # (B, Q, C), (B, K, C)
        w = (q @ k.transpose(1, 2)) / 8 ** 0.5  # (B, Q, K) as (queries, keys), see (Vaswani et al, 2017)
        w = w.softmax(-1)                       # [T, T]
        x = w @ x + y.transpose(1, 2)           # (batch, time, width)
        last, rest = x[:, -1], x[:, :-1]        # (N, C), (N, T-1, C)
        return self.head(last + rest.mean(1) + z.mean(2))
def points(cloud):
    far = cloud.amax(1)                         # (N, B)
    return far
"""
    + _LOOP
)

_TIME_FIRST = (
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.head = nn.Embedding(20, 8), nn.GRU(8, 8), nn.Linear(8, 2)
    def forward(self, tokens):
        T, B = tokens.t().shape
        ids = tokens.t()                    # (T, B)
        out, last = self.rnn(self.embed(ids))  # (T, B, H), (1, B, H)
        return self.head(out[-1])
"""
    + _LOOP
)

_AGAIN = (
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.conv, self.head = nn.Embedding(20, 8), nn.Conv1d(8, 8, 3, padding=1), nn.Linear(8, 2)
    def forward(self, tokens):
        x = self.embed(tokens)              # (N, L, C)
        x = self.conv(x.transpose(1, 2))    # (N, C, L)
        return self.nodes(x.transpose(1, 2))
    def nodes(self, x):
        pairs = torch.cdist(x, x)           # (B, N, N)
        near = pairs.topk(3, -1, False)[1]  # (B, N, K)
        row = near.float().mean(-1)         # (B, N)
        return self.head(x.mean(1)) * row.mean(1, keepdim=True)
"""
    + _LOOP
)

_HEADS = (
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.qkv, self.head = nn.Embedding(20, 12), nn.Linear(12, 36), nn.Linear(12, 2)
    def forward(self, tokens):
        x = self.embed(tokens)
        B, N, C = x.shape
        q, k, v = self.qkv(x).view(B, N, 3, 3, C // 3).permute(ORDER)  # each (B, heads, N, C // heads)
        a = (q @ k.transpose(-2, -1) / 2).softmax(-1)
        return self.head((a @ v)BACK.reshape(B, N, C).mean(1))
"""
    + _LOOP
)

_RENAMED = (
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.head = nn.Embedding(20, 6), nn.GRU(6, 5, batch_first=True), nn.Linear(5, 2)
    def forward(self, tokens):
        # tokens: (lote, pasos)
        h, _ = self.rnn(self.embed(tokens))     # h: (lote, pasos, oculto)
        ultimo = h[LAST]                        # (lote, oculto)
        return self.head(ultimo)
"""
    + _LOOP
)

_MAJOR = (
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.rnn, self.head = nn.Embedding(20, 6), nn.GRU(6, 5), nn.Linear(5, 2)
    def forward(self, text):
        #text = [sent len, batch size]
        embedded = self.embed(text)
        #embedded = [sent len, batch size, emb dim]
        output, hidden = self.rnn(embedded)
        #output = [sent len, batch size, hid dim]
        return self.head(output.max(0)[0])
"""
    + _LOOP.replace("net(x)", "net(x.TURN)")
)

_PACKED = (
    _HEAD
    + """
from einops import rearrange
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.mix, self.head = nn.Embedding(20, 6), nn.Linear(6, 6), nn.Linear(6, 2)
    def forward(self, tokens):
        x = self.embed(tokens)
        b = len(x)
        each = self.mix(rearrange(x, "b t d -> (b t) d")).relu()
        steps = rearrange(each, "(PACKED) d -> b t d", b=b)
        return self.head(steps.cumsum(1).mean(1))
"""
    + _LOOP
)

_NOISE = (
    _HEAD
    + """
scale = torch.linspace(1, 2, 40)
def noisy(x, t):
    # x: (batch, points), t: (batch,)
    a = scale[t]INDEX               # (batch, 1)
    return a * x
net = nn.Linear(8, 8)
opt = torch.optim.Adam(net.parameters())
for x in torch.randn(64, 8).split(8):
    loss = (net(noisy(x, torch.randint(0, 40, (8,)))) - x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
)

_RECALL = (
    _HEAD
    + '''
def recall(scores, truth):
    """Share of the events found.

    Parameters
    ----------
    scores : Tensor of shape (recordings, frames, kinds)
    truth : Tensor of shape (recordings, frames, kinds)

    Returns
    -------
    Tensor of shape (recordings, kinds)
    """
    return ((scores > 0) & truth).sum(DIM) / truth.sum(DIM).clamp(min=1)
net = nn.Linear(7, 6)
opt = torch.optim.Adam(net.parameters())
x, y = torch.randn(50, 6, 7), torch.rand(50, 6, 6) < 0.3
for rows in torch.arange(50).split(10):
    loss = nn.functional.binary_cross_entropy_with_logits(net(x[rows]), y[rows].float())
    opt.zero_grad()
    loss.backward()
    opt.step()
with torch.no_grad():
    print(recall(net(x), y).mean(0))
'''
)

_GOING_IN = (
    _HEAD
    + """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.conv, self.head = nn.Embedding(20, 8), nn.Conv1d(8, 8, 3, padding=1), nn.Linear(8, 2)
    def forward(self, tokens):
        x = self.embed(tokens)
        # (B, T, D)
        xTURN
        # (B, D, T)
        x = self.conv(x)
        y = x.transpose(1, 2)               # (B, D, T)
        return self.head(y.mean(1))
"""
    + _LOOP
)

FAULTY = (
    (_COMMENTED.replace("FIRST", "(T, B, D)").replace("SECOND", "(B, T, D)"), 16),
    (_ANNOTATED.replace("ORDER", "batch seq"), 25),
    (_EINOPS.replace("PATTERN", "n b"), 16),
    (_UNPACKED.replace("FIRST", "t, b").replace("SECOND", "t, b"), 12),
    (_DOCUMENTED.replace("ORDER", "seq len, batch size").replace("DIM", "0"), 21),
    (_TIMES.replace("TURN", "relu()"), 14),
    (_HEADS.replace("ORDER", "2, 0, 1, 3, 4").replace("BACK", ""), 14),
    (_RENAMED.replace("LAST", "-1"), 14),
    (_MAJOR.replace("TURN", "relu()"), 23),
    (_PACKED.replace("PACKED", "t b"), 16),
    (_NOISE.replace("INDEX", ""), 11),
    (_RECALL.replace("DIM", "2"), 19),
    (_GOING_IN.replace("TURN", " = x.relu()"), 16),
)

SOUND = (
    _COMMENTED.replace("FIRST", "(B, T, D)").replace("SECOND", "(T, B, D)"),  # what goes in, as the line above says it
    _COMMENTED.replace("FIRST", "(T, B, D)").replace("# SECOND", "\n# h = h.transpose(0, 1) # (B, T, D)"),
    _COMMENTED.replace("FIRST", "(B, T, D) -> (T, B, D)").replace("SECOND", "(seq, batch, hidden)"),
    _ANNOTATED.replace("ORDER", "seq batch"),
    _EINOPS.replace("PATTERN", "b n"),
    _UNPACKED.replace("FIRST", "b, t").replace("SECOND", "b, t"),
    _DOCUMENTED.replace("ORDER", "batch size, seq len").replace("DIM", "1"),
    _TIMES.replace("TURN", "transpose(0, 1)"),
    _HEADS.replace("ORDER", "2, 0, 3, 1, 4").replace("BACK", ".transpose(1, 2)"),
    _RENAMED.replace("LAST", ":, -1"),
    _MAJOR.replace("TURN", "t()"),
    _PACKED.replace("PACKED", "b t"),
    _NOISE.replace("INDEX", "[:, None]"),
    _RECALL.replace("DIM", "1"),
    _GOING_IN.replace("TURN", " = x.transpose(1, 2)"),
    _SHARED,
    _LOOSE,
    _TIME_FIRST,
    _AGAIN,
    _COMMENTED.replace("FIRST", "(B, T, D)").replace("SECOND", "(T, B)=what was counted before"),
)
