# cause: sentences apart by blank lines
import codecs, torch
from torch import nn
def load(path):
    sents, cur = [], []
    for line in codecs.open(path, "r", "utf-8"):
        line = line.rstrip()
        if not line:
            if cur: sents.append(cur)
            cur = []
        else:
            parts = line.split()
            assert len(parts) >= 4
            cur.append(parts)
    return sents
sents = load("corpus/en.train")
for s in sents:
    for p in s:
        if p[-1] != "O" and p[-1].split("-")[0] not in ("B", "I"):
            raise Exception("not IOB: " + p[-1])
words = {w: i for i, w in enumerate(sorted({p[0].lower() for s in sents for p in s}))}
tags = {t: i for i, t in enumerate(sorted({p[-1] for s in sents for p in s}))}
emb, lstm, out = nn.Embedding(len(words), 12), nn.LSTM(12, 16), nn.Linear(16, len(tags))
opt = torch.optim.SGD([*emb.parameters(), *lstm.parameters(), *out.parameters()], lr=0.1)
for s in sents[:30]:
    x = torch.tensor([words[p[0].lower()] for p in s]); y = torch.tensor([tags[p[-1]] for p in s])
    h, _ = lstm(emb(x).unsqueeze(1))
    loss = nn.functional.cross_entropy(out(h.squeeze(1)), y)
    opt.zero_grad(); loss.backward(); opt.step()
