# cause: a data set of the hub that nobody knows
import torch
from datasets import load_dataset
from torch import nn

rows = load_dataset("somebody/reviews-of-things", split="train")
words = sorted({w for row in rows for w in row["text"].split()})
index = {w: i for i, w in enumerate(words)}
net = nn.EmbeddingBag(len(words), 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for row in rows:
    x = torch.tensor([[index[w] for w in row["text"].split()]])
    loss = nn.functional.cross_entropy(net(x), torch.tensor([row["label"]]))
    opt.zero_grad()
    loss.backward()
    opt.step()
