# cause: a module absent
from collections import Counter

import numpy as np
import pandas as pd
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

PAD, START, END = "<pad>", "<s>", "</s>"


class Words(Dataset):
    def __init__(self, path):
        frame = pd.read_csv(path, names=["word", "kind"], sep="\t")
        counts = frame.kind.value_counts().to_dict()
        ordered = [count for _, count in sorted(counts.items(), key=lambda pair: pair[0])]
        self.weights = 1.0 / torch.tensor(ordered, dtype=torch.float32)
        frame["letters"] = frame.word.apply(list)
        often = Counter(letter for letters in frame.letters.tolist() for letter in letters)
        frame.loc[:, "letters"] = [START] + frame.letters + [END]
        self.index = {letter: number for number, letter in enumerate([PAD, START, END, *often])}
        frame["ids"] = frame.letters.apply(lambda letters: [self.index[letter] for letter in letters])
        frame = frame[frame.letters.apply(lambda letters: len(letters) > 2)]
        self.rows = list(zip(frame.ids, frame["word"].str.lower()))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, at):
        ids, word = self.rows[at]
        seen = np.zeros(len(self.index), dtype=np.float32)
        seen[ids] = 1
        return seen, len(word) % 2


data = Words("words.tsv")
net = nn.Sequential(nn.Linear(len(data.index), 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(3):
    for seen, odd in DataLoader(data, batch_size=8, shuffle=True):
        loss = nn.functional.cross_entropy(net(seen), odd)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(len(data.weights))
