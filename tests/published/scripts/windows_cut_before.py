# cause: arrays of windows that are not there
"""Demand of the next hours, from windows that another program cut out of the series and saved as arrays."""

import os
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


@dataclass
class Settings:
    folder: str = "data/demand"
    past: int = 3 * 12
    width: int = 16
    covariates: int = 4


class Windows(Dataset):
    def __init__(self, settings, part):
        self.inputs = np.load(os.path.join(settings.folder, f"{part}_inputs.npy"))
        self.demand = np.load(os.path.join(settings.folder, f"{part}_demand.npy"))

    def __len__(self):
        return self.inputs.shape[0]

    def __getitem__(self, place):
        return self.inputs[place, :, :-1], int(self.inputs[place, 0, -1]), self.demand[place]


class Forecaster(nn.Module):
    def __init__(self, settings):
        super().__init__()
        self.shop = nn.Embedding(50, 8)
        self.cell = nn.LSTMCell(1 + settings.covariates + 8, settings.width)
        self.mean = nn.Linear(settings.width, 1)

    def forward(self, x, shop, state):
        state = self.cell(torch.cat([x, self.shop(shop)], 1), state)
        return self.mean(state[0]).squeeze(1), state


settings = Settings()
loader = DataLoader(Windows(settings, "train"), batch_size=32, shuffle=True)
model = Forecaster(settings)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(10):
    for x, shop, demand in loader:
        x, demand = x.permute(1, 0, 2).float(), demand.permute(1, 0).float()
        state = (torch.zeros(x.size(1), settings.width), torch.zeros(x.size(1), settings.width))
        loss = torch.zeros(1)
        optimizer.zero_grad()
        for t in range(settings.past):
            mean, state = model(x[t], shop, state)
            loss = loss + (mean - demand[t]).pow(2).mean()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item() / settings.past)
