# cause: a member of an archive that is downloaded
import io
import zipfile

import requests
import torch
from torch import nn


def fetch():
    answer = requests.get("http://example.org/pairs.zip", stream=True)
    handle = io.BytesIO()
    for chunk in answer.iter_content(chunk_size=512):
        handle.write(chunk)
    with zipfile.ZipFile(handle, "r") as archive:
        return archive.read("pairs.txt").decode("utf-8")


source, target = [], []
for line in fetch().split("\n"):
    parts = line.split("\t")
    if len(parts) == 2:
        source.append(parts[0].split(" "))
        target.append(parts[1].split(" "))
words = sorted({w for s in source for w in s})
index = {w: i for i, w in enumerate(words)}
x = torch.tensor([[index[w] for w in s[:3]] for s in source])
net = nn.Sequential(nn.Embedding(len(words), 8), nn.Flatten(), nn.Linear(24, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
y = torch.tensor([len(s) % 2 for s in source])
for epoch in range(3):
    for i in range(0, len(x), 16):
        opt.zero_grad()
        loss = nn.functional.cross_entropy(net(x[i : i + 16]), y[i : i + 16])
        loss.backward()
        opt.step()
