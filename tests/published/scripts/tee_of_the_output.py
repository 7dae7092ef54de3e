# cause: standard output
import os
import sys

import torch
import torch.nn as nn


class Tee:
    """Everything that is printed goes to a file as well."""

    def __init__(self, path):
        self.terminal = sys.stdout
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.file = open(path, "w")

    def __del__(self):
        self.close()

    def write(self, text):
        self.terminal.write(text)
        self.file.write(text)

    def flush(self):
        self.terminal.flush()
        self.file.flush()

    def close(self):
        self.terminal.close()
        self.file.close()


def main():
    sys.stdout = Tee(os.path.join("runs", "train.log"))
    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    inputs = torch.randn(40, 8)
    labels = (inputs[:, 0] > 0).long()
    for epoch in range(8):
        loss = nn.functional.cross_entropy(model(inputs), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"epoch {epoch}: {loss.item():.3f}")


if __name__ == "__main__":
    main()
