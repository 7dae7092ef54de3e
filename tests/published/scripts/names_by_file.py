# cause: files of lines that are absent
import glob
import os
import random

import torch
import torch.nn as nn

all_letters = "abcdefghijklmnopqrstuvwxyz .,;'"
category_lines, all_categories = {}, []
for filename in glob.glob("data/names/*.txt"):
    category = os.path.splitext(os.path.basename(filename))[0]
    all_categories.append(category)
    lines = open(filename, encoding="utf-8").read().strip().split("\n")
    category_lines[category] = ["".join(c for c in line.lower() if c in all_letters)[:20] for line in lines if line.strip()]
n_categories = len(all_categories)


def line_to_tensor(line):
    tensor = torch.zeros(len(line), 1, len(all_letters))
    for li, letter in enumerate(line):
        tensor[li][0][all_letters.find(letter)] = 1
    return tensor


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size, output_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.i2h = nn.Linear(input_size + hidden_size, hidden_size)
        self.h2o = nn.Linear(hidden_size, output_size)
        self.softmax = nn.LogSoftmax(dim=1)

    def forward(self, x, hidden):
        hidden = torch.tanh(self.i2h(torch.cat((x, hidden), 1)))
        return self.softmax(self.h2o(hidden)), hidden


rnn = RNN(len(all_letters), 12, n_categories)
criterion = nn.NLLLoss()
optimizer = torch.optim.SGD(rnn.parameters(), lr=0.005)
for it in range(1, 1000):
    category = random.choice(all_categories)
    line_tensor = line_to_tensor(random.choice(category_lines[category]))
    target = torch.tensor([all_categories.index(category)], dtype=torch.long)
    hidden = torch.zeros(1, rnn.hidden_size)
    for i in range(line_tensor.size(0)):
        output, hidden = rnn(line_tensor[i], hidden)
    loss = criterion(output, target)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if it % 500 == 0:
        print(it, all_categories[int(output.topk(1)[1])], loss.item())
