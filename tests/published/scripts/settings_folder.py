# cause: required arguments
import fire
import torch
import torch.nn as nn


class Trainer:
    def __init__(self, hidden: int, lr: float = 0.01):
        self.net = nn.Sequential(nn.Linear(4, 4 * hidden), nn.Tanh(), nn.Linear(4 * hidden, 1))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=lr)

    def fit(self, epochs):
        for epoch in range(epochs):
            x = torch.randn(10, 4)
            loss = (self.net(x) - x.sum(1, keepdim=True)).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
        return loss.item()


def main(hidden: int, epochs: int, lr: float = 0.01):
    print(Trainer(hidden, lr).fit(epochs))


if __name__ == "__main__":
    fire.Fire(main)
