import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
T = 50
beta = torch.linspace(1e-4, 0.02, T)
alpha_bar = torch.cumprod(1 - beta, dim=0)


class AttentionBlock(nn.Module):
    def __init__(self, channels, heads=2):
        super().__init__()
        self.heads, self.d_k = heads, channels // heads
        self.norm = nn.GroupNorm(4, channels)
        self.projection = nn.Linear(channels, heads * self.d_k * 3)
        self.output = nn.Linear(heads * self.d_k, channels)

    def forward(self, x):
        b, c, h, w = x.shape
        y = self.norm(x).view(b, c, -1).permute(0, 2, 1)
        qkv = self.projection(y).view(b, -1, self.heads, 3 * self.d_k)
        q, k, v = torch.chunk(qkv, 3, dim=-1)
        attn = torch.einsum("bihd,bjhd->bijh", q, k) * self.d_k ** -0.5
        attn = attn.softmax(dim=1)
        res = torch.einsum("bijh,bjhd->bihd", attn, v)
        res = self.output(res.reshape(b, -1, self.heads * self.d_k)) + y
        return res.permute(0, 2, 1).view(b, c, h, w)


class TinyUNet(nn.Module):
    def __init__(self, ch=16):
        super().__init__()
        self.time = nn.Sequential(nn.Embedding(T, ch), nn.Linear(ch, ch), nn.SiLU())
        self.inp = nn.Conv2d(1, ch, 3, padding=1)
        self.down = nn.Conv2d(ch, ch, 3, stride=2, padding=1)
        self.mid = AttentionBlock(ch)
        self.up = nn.ConvTranspose2d(ch, ch, 4, stride=2, padding=1)
        self.out = nn.Conv2d(2 * ch, 1, 3, padding=1)

    def forward(self, x, t):
        h = self.inp(x) + self.time(t)[:, :, None, None]
        m = self.mid(F.silu(self.down(h)))
        return self.out(torch.cat([h, self.up(m)], dim=1))


def q_sample(x0, t, noise):
    ab = alpha_bar[t].view(-1, 1, 1, 1)
    return ab.sqrt() * x0 + (1 - ab).sqrt() * noise


yy, xx = torch.meshgrid(torch.arange(14), torch.arange(14), indexing="ij")
model = TinyUNet()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for step in range(30):
    centre = torch.randint(3, 11, (12, 2, 1, 1))
    x0 = ((((yy - centre[:, 0]) ** 2 + (xx - centre[:, 1]) ** 2) < 10).float() * 2 - 1).unsqueeze(1)
    t = torch.randint(0, T, (12,))
    noise = torch.randn_like(x0)
    loss = F.mse_loss(model(q_sample(x0, t, noise), t), noise)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 9:
        print("step", step + 1, "loss", round(loss.item(), 4))
