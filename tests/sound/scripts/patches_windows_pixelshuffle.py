import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class WindowAttention(nn.Module):
    def __init__(self, dim=16, win=4, heads=2):
        super().__init__()
        self.win, self.heads = win, heads
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.bias = nn.Parameter(torch.zeros(heads, win * win, win * win))

    def forward(self, x):
        b, h, w, c = x.shape
        n = self.win
        x = x.view(b, h // n, n, w // n, n, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, n * n, c)
        q, k, v = self.qkv(x).reshape(-1, n * n, 3, self.heads, c // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        a = (q @ k.transpose(-2, -1) * (c // self.heads) ** -0.5 + self.bias).softmax(-1)
        x = self.proj((a @ v).transpose(1, 2).reshape(-1, n * n, c))
        return x.view(b, h // n, w // n, n, n, c).permute(0, 1, 3, 2, 4, 5).reshape(b, h, w, c)


class SuperRes(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.stem = nn.Conv2d(1, dim, 3, padding=1)
        self.attn, self.norm = WindowAttention(dim), nn.LayerNorm(dim)
        self.reduce = nn.Linear(4 * dim, dim)
        self.up = nn.Conv2d(dim, 4, 3, padding=1)
        self.gate = nn.Linear(dim, dim)

    def forward(self, x):
        h = self.stem(x).permute(0, 2, 3, 1)
        h = h + self.attn(self.norm(h))
        h = h + self.attn(torch.roll(h, (-2, -2), dims=(1, 2))).roll((2, 2), dims=(1, 2))
        small = torch.cat([h[:, 0::2, 0::2], h[:, 1::2, 0::2], h[:, 0::2, 1::2], h[:, 1::2, 1::2]], dim=-1)
        context = self.reduce(small).flatten(1, 2).mean(dim=1)
        h = h * self.gate(context).sigmoid()[:, None, None, :]
        return F.pixel_shuffle(self.up(h.permute(0, 3, 1, 2)), 2)


model = SuperRes()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(15):
    hi = torch.rand(6, 1, 16, 16)
    lo = F.avg_pool2d(hi, 2)
    out = model(lo)
    g = out.flatten(2)
    gram = g @ g.transpose(1, 2) / g.size(-1)
    loss = F.l1_loss(out, hi) + 0.01 * gram.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 5 == 4:
        print(step + 1, round(loss.item(), 4))
