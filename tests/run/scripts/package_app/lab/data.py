import math

import torch
from torch.utils.data import Dataset


class Waves(Dataset):
    """Sines of two frequencies."""

    def __init__(self, count):
        self.labels = [i % 2 for i in range(count)]

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        t = torch.linspace(0, 2 * math.pi, 64)
        wave = torch.sin(t * (2 if self.labels[index] else 5)) + 0.1 * torch.randn(64)
        return wave.unsqueeze(0), self.labels[index]
