"""Readers and books: pairs are visited in a shuffled order, and the last book of each reader, which is held out, is
ranked."""

import numpy as np
import torch
from torch import nn

READERS, BOOKS = 120, 150
torch.manual_seed(0)
rng = np.random.default_rng(0)
shelf = rng.integers(0, 4, BOOKS)
liked = [rng.permutation(np.flatnonzero(shelf == reader % 4))[:8] for reader in range(READERS)]
pairs = np.array([(reader, book) for reader, books in enumerate(liked) for book in books[:-1]])
last = np.array([(reader, books[-1]) for reader, books in enumerate(liked)])
known = np.zeros((READERS, BOOKS), dtype=bool)
known[pairs[:, 0], pairs[:, 1]] = True


class Factors(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.readers, self.books = nn.Embedding(READERS, width), nn.Embedding(BOOKS, width)

    def match(self, readers, books):
        return (self.readers(readers) * self.books(books)).sum(-1)

    def all_scores(self, readers):
        return self.readers(readers) @ self.books.weight.t()


net = Factors()
optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
who, what = pairs[:, 0], pairs[:, 1]
for epoch in range(4):
    order = rng.permutation(len(who))
    for chosen in np.array_split(order, 5):
        readers, books = torch.from_numpy(who[chosen]), torch.from_numpy(what[chosen])
        others = torch.from_numpy(rng.integers(0, BOOKS, len(chosen)))
        loss = nn.functional.softplus(net.match(readers, others) - net.match(readers, books)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    with torch.no_grad():
        readers, wanted = torch.tensor(last[:, 0]), torch.tensor(last[:, 1])
        scores = net.all_scores(readers)
        scores[torch.from_numpy(known[last[:, 0]])] = -torch.inf
        rank = (scores > scores.gather(1, wanted[:, None])).sum(1)
        print(epoch, (rank < 10).float().mean().item())
