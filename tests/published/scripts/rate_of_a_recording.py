# cause: an absent module
import torch
import torch.nn as nn
from sound_reader_of_old import read_samples
from torch.utils.data import DataLoader, Dataset

RATE, LENGTH = 16000, 400


class Recordings(Dataset):
    def __init__(self, count):
        self.names = [f"clips/{number}.wav" for number in range(count)]

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        rate, samples = read_samples(self.names[index])
        if rate != RATE:
            raise ValueError(f"{self.names[index]} was recorded at {rate}, not at {RATE}")
        assert rate == RATE
        return torch.linspace(0, 6.28 * (1 + index), LENGTH).sin(), index % 2


model = nn.Sequential(nn.Linear(LENGTH, 32), nn.ReLU(), nn.Linear(32, 2))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for clips, kinds in DataLoader(Recordings(24), batch_size=8, shuffle=True):
    loss = nn.functional.cross_entropy(model(clips), kinds)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
