# cause: lines of two parts beside longer tables
import numpy as np
import torch
from torch import nn

table = torch.from_numpy(np.load("news.npz")["embeddings"].astype("float32"))
names = [line.strip() for line in open("class.txt", encoding="utf-8").readlines()]
rows = []
with open("train.txt", encoding="utf-8") as file:
    for line in file:
        line = line.strip()
        if not line:
            continue
        text, label = line.split("\t")
        rows.append(([ord(sign) % 97 for sign in text][:16], int(label)))
kept = [(row[0], row[1], len(row[0]), 1) for row in rows]
lengths = [one[3] for one in kept]
net = nn.Sequential(nn.Embedding.from_pretrained(table, freeze=False), nn.Flatten(), nn.Linear(16 * table.shape[1], len(names)))
x = torch.tensor([(one[0] + [0] * 16)[:16] for one in kept])
y = torch.tensor([one[1] for one in kept])
optimizer = torch.optim.Adam(net.parameters())
for start in range(0, len(x), 32):
    loss = nn.functional.cross_entropy(net(x[start : start + 32]), y[start : start + 32])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
