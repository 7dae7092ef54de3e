# cause: arguments
import argparse
import sys

import torch
import torch.nn as nn


def read_options(words):
    parser = argparse.ArgumentParser(prog="train")
    parser.add_argument("name", help="of the run, under which results are kept")
    parser.add_argument("--shape", choices=["moon", "ring", "star"], help="which points to fit")
    parser.add_argument("--steps", type=int, default=30)
    return parser.parse_args(words)


def ring(count):
    angle = torch.rand(count, 1) * 6.28
    return torch.cat([angle.cos(), angle.sin()], 1)


def star(count):
    return ring(count) * torch.rand(count, 1)


def main(options):
    points = globals()[options.shape](200)
    model = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(options.steps):
        loss = (model(points + 0.1 * torch.randn_like(points)) - points).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(options.name, loss.item())


if __name__ == "__main__":
    main(read_options(sys.argv[1:]))
