# cause: a download
import gzip
import urllib.request

import torch
import torch.nn as nn

path, _ = urllib.request.urlretrieve("https://example.org/corpus.txt.gz", "corpus.txt.gz")
words = gzip.open("corpus.txt.gz", "rt", encoding="utf-8").read().lower().split()[:2000]
vocab = {word: number for number, word in enumerate(sorted(set(words)))}
ids = torch.tensor([vocab[word] for word in words])
contexts = torch.stack([ids[at : at + 3] for at in range(len(ids) - 3)])
targets = ids[3:]
model = nn.Sequential(nn.Embedding(len(vocab), 6), nn.Flatten(), nn.Linear(18, len(vocab)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(3):
    for at in range(0, len(targets), 64):
        loss = nn.functional.cross_entropy(model(contexts[at : at + 64]), targets[at : at + 64])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, torch.exp(loss.detach()))
