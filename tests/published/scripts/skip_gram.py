# cause: a figure
import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn as nn

sentences = ["apple banana fruit", "banana orange fruit", "dog cat animal", "cat monkey animal", "dog monkey animal"]
words = " ".join(sentences).split()
vocab = list(set(words))
word_dict = {w: i for i, w in enumerate(vocab)}
skip_grams = []
for i in range(1, len(words) - 1):
    target = word_dict[words[i]]
    for context in (word_dict[words[i - 1]], word_dict[words[i + 1]]):
        skip_grams.append([target, context])


class Word2Vec(nn.Module):
    def __init__(self):
        super().__init__()
        self.W = nn.Linear(len(vocab), 2, bias=False)
        self.WT = nn.Linear(2, len(vocab), bias=False)

    def forward(self, X):
        return self.WT(self.W(X))


model = Word2Vec()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)
for epoch in range(5000):
    picked = np.random.choice(range(len(skip_grams)), 2, replace=False)
    inputs = torch.Tensor(np.array([np.eye(len(vocab))[skip_grams[i][0]] for i in picked]))
    targets = torch.LongTensor([skip_grams[i][1] for i in picked])
    optimizer.zero_grad()
    loss = criterion(model(inputs), targets)
    if (epoch + 1) % 1000 == 0:
        print("Epoch:", "%04d" % (epoch + 1), "cost =", "{:.6f}".format(loss))
    loss.backward()
    optimizer.step()
W, WT = model.parameters()
for i, label in enumerate(vocab):
    x, y = W[0][i].item(), W[1][i].item()
    plt.scatter(x, y)
    plt.annotate(label, xy=(x, y), xytext=(5, 2), textcoords="offset points", ha="right", va="bottom")
plt.show()
