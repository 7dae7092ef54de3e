# cause: names and numbers that files share
import torch
from torch import nn

def read_ids(path):
    ids = {}
    with open(path, encoding="utf-8") as f:
        total = int(f.readline())
        for line in f:
            name, number = line.strip().split("\t")
            ids[name] = int(number)
    assert len(ids) == total
    return ids

entities = read_ids("wiki/entity2id.txt")
relations = read_ids("wiki/relation2id.txt")

def read_triples(path):
    with open(path) as f:
        f.readline()
        rows = [line.rstrip("\n").split("\t") for line in f]
    return torch.tensor([[entities[h], relations[r], entities[t]] for h, r, t in rows])

train = read_triples("wiki/train.txt")
ent = nn.Embedding(len(entities), 16)
rel = nn.Embedding(len(relations), 16)
opt = torch.optim.Adam([*ent.parameters(), *rel.parameters()], lr=0.01)
for step in range(20):
    batch = train[torch.randint(0, len(train), (32,))]
    bad = torch.randint(0, len(entities), (32,))
    pos = (ent(batch[:, 0]) + rel(batch[:, 1]) - ent(batch[:, 2])).norm(dim=1)
    neg = (ent(batch[:, 0]) + rel(batch[:, 1]) - ent(bad)).norm(dim=1)
    loss = torch.relu(1 + pos - neg).mean()
    opt.zero_grad(); loss.backward(); opt.step()
