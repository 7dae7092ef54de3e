"""Sentence by sentence, as in the old tutorials: view(len, 1, -1) for an LSTM, one token a row, NLLLoss."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)
sentences = [
    ("The dog ate the apple".split(), ["DET", "NN", "V", "DET", "NN"]),
    ("Everybody read that book".split(), ["NN", "V", "DET", "NN"]),
    ("A cat saw the old man".split(), ["DET", "NN", "V", "DET", "ADJ", "NN"]),
]
words, tags = {}, {"DET": 0, "NN": 1, "V": 2, "ADJ": 3}
for sentence, _ in sentences:
    for word in sentence:
        words.setdefault(word, len(words))


def prepare(seq, table):
    return torch.tensor([table[w] for w in seq], dtype=torch.long)


class Tagger(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.hidden_dim = hidden
        self.emb = nn.Embedding(len(words), dim)
        self.lstm = nn.LSTM(dim, hidden, bidirectional=True)
        self.out = nn.Linear(2 * hidden, len(tags))

    def init_hidden(self):
        return torch.zeros(2, 1, self.hidden_dim), torch.zeros(2, 1, self.hidden_dim)

    def forward(self, sentence):
        embeds = self.emb(sentence)
        out, _ = self.lstm(embeds.view(len(sentence), 1, -1), self.init_hidden())
        space = self.out(out.view(len(sentence), -1))
        return F.log_softmax(space, dim=1)


model = Tagger(6, 6)
criterion = nn.NLLLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(40):
    for sentence, labels in sentences:
        model.zero_grad()
        scores = model(prepare(sentence, words))
        loss = criterion(scores, prepare(labels, tags))
        loss.backward()
        optimizer.step()
with torch.no_grad():
    scores = model(prepare(sentences[0][0], words))
    print(loss.item(), scores.argmax(dim=1).tolist())

# the same with unbatched 2-d input
rnn = nn.GRU(6, 8, batch_first=True)
head = nn.Linear(8, len(tags))
emb = nn.Embedding(len(words), 6)
optimizer = torch.optim.Adam([*rnn.parameters(), *head.parameters(), *emb.parameters()], lr=0.01)
for epoch in range(10):
    for sentence, labels in sentences:
        out, _ = rnn(emb(prepare(sentence, words)))
        loss = F.cross_entropy(head(out), prepare(labels, tags))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
print(loss.item())
