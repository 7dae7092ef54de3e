# cause: an absent file
import os
import sys

import torch
import torch.nn as nn

WORDS = os.path.join("corpus", "train.txt")
SETTINGS = "corpus/dev.txt"

if not os.path.exists(WORDS):
    print("Download the corpus first")
    sys.exit(1)
if os.path.isfile(SETTINGS):
    held_out = open(SETTINGS).read().split()
else:
    raise RuntimeError(f"Cannot find {SETTINGS}")

words = open(WORDS).read().split()
known = {word: number for number, word in enumerate(sorted(set(words)))}
codes = torch.tensor([known[word] for word in words])
model = nn.Sequential(nn.Embedding(len(known), 16), nn.Linear(16, len(known)))
optimizer = torch.optim.Adam(model.parameters())
for start in range(0, len(codes) - 9, 8):
    given, due = codes[start : start + 8], codes[start + 1 : start + 9]
    loss = nn.functional.cross_entropy(model(given), due)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(len(held_out), loss.item())
