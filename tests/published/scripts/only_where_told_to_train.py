# cause: arguments
import argparse

import torch
import torch.nn as nn

parser = argparse.ArgumentParser()
parser.add_argument("--train", action="store_true", help="Fit the flow")
parser.add_argument("--plot", action="store_true", help="Show what it has learned")
parser.add_argument("--target", choices=["ring", "moons"], help="Which density to fit")
parser.add_argument("--pretrained", action="store_true")


class Shear(nn.Module):
    def __init__(self):
        super().__init__()
        self.direction, self.weight = nn.Parameter(torch.randn(2) * 0.1), nn.Parameter(torch.randn(2) * 0.1)

    def forward(self, z):
        bent = torch.tanh(z @ self.weight)
        slope = (1 - bent.pow(2))[:, None] * self.weight
        return z + bent[:, None] * self.direction, torch.log((1 + slope @ self.direction).abs() + 1e-6)


def ring(z):
    return (z.norm(dim=1) - 2).pow(2) / 0.32


def moons(z):
    return (z[:, 1] - z[:, 0].pow(2)).pow(2) + z[:, 0].pow(2)


def fit(layers, options, steps=40):
    energy = globals()[options.target]
    optimizer = torch.optim.Adam([one for layer in layers for one in layer.parameters()], lr=1e-2)
    for _ in range(steps):
        z, change = torch.randn(64, 2), 0
        for layer in layers:
            z, more = layer(z)
            change = change + more
        loss = (energy(z) - change).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    args = parser.parse_args()
    flow = nn.ModuleList(Shear() for _ in range(4))
    print(sum(one.numel() for one in flow.parameters()))
    if args.train:
        fit(flow, args)
