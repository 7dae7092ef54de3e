"""Swin block: window partition and reverse, shifted windows with a mask, relative position bias, patch merging."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


def window_partition(x, w):
    B, H, W, C = x.shape
    x = x.view(B, H // w, w, W // w, w, C)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, w, w, C)


def window_reverse(windows, w, H, W):
    B = int(windows.shape[0] / (H * W / w / w))
    x = windows.view(B, H // w, W // w, w, w, -1)
    return x.permute(0, 1, 3, 2, 4, 5).contiguous().view(B, H, W, -1)


class WindowAttention(nn.Module):
    def __init__(self, dim, w, heads):
        super().__init__()
        self.w, self.heads, self.scale = w, heads, (dim // heads) ** -0.5
        self.table = nn.Parameter(torch.zeros((2 * w - 1) * (2 * w - 1), heads))
        coords = torch.stack(torch.meshgrid(torch.arange(w), torch.arange(w), indexing="ij")).flatten(1)
        rel = (coords[:, :, None] - coords[:, None, :]).permute(1, 2, 0) + w - 1
        self.register_buffer("index", rel[..., 0] * (2 * w - 1) + rel[..., 1])
        self.qkv, self.proj = nn.Linear(dim, dim * 3), nn.Linear(dim, dim)

    def forward(self, x, mask=None):
        B_, N, C = x.shape
        qkv = self.qkv(x).reshape(B_, N, 3, self.heads, C // self.heads).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0] * self.scale, qkv[1], qkv[2]
        att = q @ k.transpose(-2, -1)
        bias = self.table[self.index.view(-1)].view(N, N, -1).permute(2, 0, 1).contiguous()
        att = att + bias.unsqueeze(0)
        if mask is not None:
            nW = mask.shape[0]
            att = att.view(B_ // nW, nW, self.heads, N, N) + mask.unsqueeze(1).unsqueeze(0)
            att = att.view(-1, self.heads, N, N)
        att = att.softmax(dim=-1)
        return self.proj((att @ v).transpose(1, 2).reshape(B_, N, C))


class SwinBlock(nn.Module):
    def __init__(self, dim, size, w=4, heads=3, shift=0):
        super().__init__()
        self.size, self.w, self.shift = size, w, shift
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = WindowAttention(dim, w, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, dim * 2), nn.GELU(), nn.Linear(dim * 2, dim))
        mask = None
        if shift:
            img, cnt = torch.zeros(1, size, size, 1), 0
            cuts = (slice(0, -w), slice(-w, -shift), slice(-shift, None))
            for h in cuts:
                for v in cuts:
                    img[:, h, v, :] = cnt
                    cnt += 1
            mw = window_partition(img, w).view(-1, w * w)
            mask = mw.unsqueeze(1) - mw.unsqueeze(2)
            mask = mask.masked_fill(mask != 0, -100.0).masked_fill(mask == 0, 0.0)
        self.register_buffer("mask", mask)

    def forward(self, x):
        B, L, C = x.shape
        h = self.n1(x).view(B, self.size, self.size, C)
        if self.shift:
            h = torch.roll(h, (-self.shift, -self.shift), dims=(1, 2))
        win = window_partition(h, self.w).view(-1, self.w * self.w, C)
        win = self.attn(win, self.mask).view(-1, self.w, self.w, C)
        h = window_reverse(win, self.w, self.size, self.size)
        if self.shift:
            h = torch.roll(h, (self.shift, self.shift), dims=(1, 2))
        x = x + h.view(B, L, C)
        return x + self.mlp(self.n2(x))


class TinySwin(nn.Module):
    def __init__(self, dim=12, classes=3):
        super().__init__()
        self.embed = nn.Conv2d(3, dim, 2, 2)
        self.blocks = nn.ModuleList([SwinBlock(dim, 8), SwinBlock(dim, 8, shift=2)])
        self.reduce = nn.Linear(4 * dim, 2 * dim, bias=False)
        self.head = nn.Linear(2 * dim, classes)

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        for block in self.blocks:
            x = block(x)
        B, L, C = x.shape
        x = x.view(B, 8, 8, C)
        x = torch.cat([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], -1)
        return self.head(self.reduce(x.view(B, -1, 4 * C)).mean(1))


y = torch.randint(0, 3, (60,))
x = torch.randn(60, 3, 16, 16) + y[:, None, None, None]
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
model = TinySwin()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(2):
    for a, b in loader:
        loss = F.cross_entropy(model(a), b)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
