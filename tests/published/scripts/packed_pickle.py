# cause: a pickle that is downloaded and unpacked
import gzip
import os
import pickle
import urllib.request

import torch
from torch import nn

if not os.path.exists("digits.pkl"):
    raw = urllib.request.urlopen("https://example.org/digits.pkl.gz")
    with open("digits.pkl.gz", "wb") as file:
        file.write(raw.read())
    with open("digits.pkl", "wb") as out, gzip.GzipFile("digits.pkl.gz") as packed:
        out.write(packed.read())
with open("digits.pkl", "rb") as file:
    held = pickle.load(file, encoding="bytes")
x = torch.ByteTensor(held[b"train"]).float()
y = torch.LongTensor(held[b"labels"])
net = nn.Linear(x.shape[-1], 10)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    opt.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    opt.step()
