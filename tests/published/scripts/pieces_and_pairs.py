# cause: a vocabulary that must hold some pieces
import torch
from torch import nn
def load_vocab(path):
    vocab, n = {}, 0
    with open(path) as f:
        while True:
            tok = f.readline()
            if not tok: break
            vocab[tok.strip()] = n; n += 1
    return vocab
vocab = load_vocab("bert/vocab.txt")
def enc(text):
    ids = [vocab["[CLS]"]] + [vocab.get(w, vocab["[UNK]"]) for w in text.lower().split()] + [vocab["[SEP]"]]
    return (ids + [vocab["[PAD]"]] * 16)[:16]
rows = []
with open("pairs/train.tsv") as f:
    for n, line in enumerate(f):
        if n == 0: continue
        cols = line.rstrip("\n").split("\t")
        rows.append((enc(cols[3]), enc(cols[4]), cols[0]))
labels = {"0": 0, "1": 1}
emb, fc = nn.Embedding(len(vocab), 8), nn.Linear(16, 2)
opt = torch.optim.Adam([*emb.parameters(), *fc.parameters()])
for a, b, l in rows[:16]:
    h = torch.cat([emb(torch.tensor(a)).mean(0), emb(torch.tensor(b)).mean(0)])
    loss = nn.functional.cross_entropy(fc(h)[None], torch.tensor([labels[l]]))
    opt.zero_grad(); loss.backward(); opt.step()
