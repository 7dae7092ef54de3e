# cause: a module absent
import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Vocabulary:
    def __init__(self):
        self.places = {}

    def add(self, token):
        return self.places.setdefault(token, len(self.places))


class Surnames(Dataset):
    def __init__(self, frame, letters, origins):
        self.frame, self.letters, self.origins = frame, letters, origins
        self.part = frame[frame.split == "train"]
        counts = frame.origin.value_counts().to_dict()
        ordered = sorted(counts.items(), key=lambda pair: origins.places[pair[0]])
        self.weights = 1.0 / torch.tensor([count for _, count in ordered], dtype=torch.float32)

    @classmethod
    def read(cls, path):
        frame = pd.read_csv(path)
        letters, origins = Vocabulary(), Vocabulary()
        for _, row in frame.iterrows():
            for letter in row.surname:
                letters.add(letter)
            origins.add(row.origin)
        return cls(frame, letters, origins)

    def __len__(self):
        return len(self.part)

    def __getitem__(self, at):
        row = self.part.iloc[at]
        seen = np.zeros(len(self.letters.places), dtype=np.float32)
        for letter in row.surname:
            seen[self.letters.places[letter]] = 1
        return {"seen": seen, "origin": self.origins.places[row.origin]}


data = Surnames.read("surnames.csv")
net = nn.Linear(len(data.letters.places), len(data.origins.places))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(2):
    for batch in DataLoader(data, batch_size=8, shuffle=True, drop_last=True):
        loss = nn.functional.cross_entropy(net(batch["seen"]), batch["origin"], weight=data.weights)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
