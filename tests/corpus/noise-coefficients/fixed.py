import torch
import torch.nn as nn
import torch.nn.functional as F

TIMESTEPS, BATCH, SIZE = 100, 16, 16


def linear_schedule():
    betas = torch.linspace(1e-4, 0.03, TIMESTEPS)
    return torch.cumprod(1.0 - betas, dim=0)


class NoiseScheduler:
    def __init__(self):
        bar = linear_schedule()
        self.sqrt_bar = bar.sqrt()
        self.sqrt_one_minus = (1 - bar).sqrt()

    def add_noise(self, x0, noise, t):
        s1 = self.sqrt_bar[t].view(-1, 1, 1, 1)
        s2 = self.sqrt_one_minus[t].view(-1, 1, 1, 1)
        return s1 * x0 + s2 * noise


class Denoiser(nn.Module):
    def __init__(self, ch=24):
        super().__init__()
        self.temb = nn.Embedding(TIMESTEPS, ch)
        self.conv1 = nn.Conv2d(1, ch, 3, padding=1)
        self.conv2 = nn.Conv2d(ch, ch, 3, padding=1)
        self.norm = nn.GroupNorm(4, ch)
        self.conv3 = nn.Conv2d(ch, 1, 3, padding=1)

    def forward(self, x, t):
        h = F.silu(self.conv1(x) + self.temb(t)[:, :, None, None])
        h = h + F.silu(self.norm(self.conv2(h)))
        return self.conv3(h)


def digits(n):
    x = -torch.ones(n, 1, SIZE, SIZE)
    for i in range(n):
        c = int(torch.randint(3, 13, (1,)))
        x[i, 0, 3:13, c - 1:c + 1] = 1.0
    return x


if __name__ == "__main__":
    torch.manual_seed(0)
    scheduler, model = NoiseScheduler(), Denoiser()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    ema = {k: v.clone() for k, v in model.state_dict().items()}
    for step in range(40):
        x0 = digits(BATCH)
        noise = torch.randn_like(x0)
        t = torch.randint(0, TIMESTEPS, (BATCH,))
        predicted = model(scheduler.add_noise(x0, noise, t), t)
        loss = F.mse_loss(predicted, noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with torch.no_grad():
            for k, v in model.state_dict().items():
                ema[k].mul_(0.99).add_(v, alpha=0.01)
        if step % 10 == 9:
            print("step", step + 1, "loss", round(loss.item(), 4))
