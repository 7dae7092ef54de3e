# cause: three lines for each sample
import torch
from torch import nn
def read(path):
    with open(path) as f: lines = f.readlines()
    out = []
    for i in range(0, len(lines), 3):
        left, _, right = [s.lower().strip() for s in lines[i].partition("@@")]
        topic = lines[i + 1].strip()
        mood = int(lines[i + 2].strip()) 
        out.append((left + " " + topic + " " + right, mood))
    return out
data = read("reviews/phones.seg")
vocab = {}
for t, _ in data:
    for w in t.split(): vocab.setdefault(w, len(vocab))
emb, fc = nn.EmbeddingBag(len(vocab), 8), nn.Linear(8, 3)
opt = torch.optim.SGD([*emb.parameters(), *fc.parameters()], lr=0.1)
for t, m in data[:20]:
    x = torch.tensor([[vocab[w] for w in t.split()]])
    loss = nn.functional.cross_entropy(fc(emb(x)), torch.tensor([m]))
    opt.zero_grad(); loss.backward(); opt.step()
