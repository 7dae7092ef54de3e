# cause: a text that is absent
import random
import string
import unicodedata

import torch
import torch.nn as nn

all_characters = string.printable
file = unicodedata.normalize("NFKD", open("data/shakespeare.txt").read())
file = "".join(c for c in file if c in all_characters)
file_len = len(file)
chunk_len, hidden_size, n_layers, batch_size = 40, 32, 2, 8


class CharRNN(nn.Module):
    def __init__(self, vocab, hidden, layers):
        super().__init__()
        self.encoder = nn.Embedding(vocab, hidden)
        self.rnn = nn.GRU(hidden, hidden, layers, batch_first=True)
        self.decoder = nn.Linear(hidden, vocab)

    def forward(self, x, h=None):
        out, h = self.rnn(self.encoder(x), h)
        return self.decoder(out), h


def char_tensor(text):
    return torch.tensor([all_characters.index(c) for c in text])


def random_batch():
    starts = [random.randint(0, file_len - chunk_len - 1) for _ in range(batch_size)]
    chunks = torch.stack([char_tensor(file[s : s + chunk_len + 1]) for s in starts])
    return chunks[:, :-1], chunks[:, 1:]


model = CharRNN(len(all_characters), hidden_size, n_layers)
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
criterion = nn.CrossEntropyLoss()
for epoch in range(1, 200):
    inp, target = random_batch()
    output, _ = model(inp)
    loss = criterion(output.reshape(-1, len(all_characters)), target.reshape(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 100 == 0:
        print(epoch, loss.item())

model.eval()
with torch.no_grad():
    text, hidden = "Wh", None
    _, hidden = model(char_tensor(text[:-1]).unsqueeze(0))
    for _ in range(20):
        out, hidden = model(char_tensor(text[-1]).unsqueeze(0), hidden)
        text += all_characters[int(torch.multinomial(out[0, -1].div(0.8).exp(), 1))]
print(text)
