# cause: a file of no known ending that is unpickled, and one that is opened and read as numbers
import pickle

import numpy as np
import torch
from torch import nn

with open("sensors/readings.dat") as source:
    readings = np.loadtxt(source, delimiter=";")
with open("sensors/neighbours.graph", "rb") as source:
    neighbours = pickle.load(source)

window = 150
series = torch.tensor(readings).float()
samples = []
for end in range(window, len(series) - 1, 40):
    block = torch.zeros(window, series.shape[1])
    block[:, :] = series[end - window : end]
    samples.append((block, series[end]))
weights = np.asarray(neighbours["weights"], dtype="float32")
scale = float(np.abs(weights).mean()) + 1.0

net = nn.GRU(series.shape[1], 16, batch_first=True)
head = nn.Linear(16, series.shape[1])
opt = torch.optim.Adam([*net.parameters(), *head.parameters()], lr=1e-3)
for block, following in samples[:6]:
    state = net(block[None])[1][-1]
    loss = nn.functional.mse_loss(head(state)[0], following) / scale
    opt.zero_grad()
    loss.backward()
    opt.step()
