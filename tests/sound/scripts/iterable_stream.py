"""IterableDataset of ragged texts, length-bucketed batches in the data set itself, a dict collate, mean pooling under a mask."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader, IterableDataset

torch.manual_seed(0)


class Stream(IterableDataset):
    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        for _ in range(self.n):
            k = int(torch.randint(3, 12, (1,), generator=g))
            ids = torch.randint(1, 40, (k,), generator=g)
            yield ids, int((ids > 20).float().mean() > 0.5)


def collate(batch):
    batch.sort(key=lambda item: len(item[0]), reverse=True)
    ids = pad_sequence([b[0] for b in batch], batch_first=True)
    return {"ids": ids, "mask": (ids > 0), "labels": torch.tensor([b[1] for b in batch])}


class Classifier(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.emb = nn.Embedding(40, dim, padding_idx=0)
        self.query = nn.Linear(dim, 1)
        layer = nn.TransformerEncoderLayer(dim, 2, 32, dropout=0.1, batch_first=True)
        self.enc = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.cls = nn.Linear(dim, 2)

    def forward(self, ids, mask):
        h = self.enc(self.emb(ids), src_key_padding_mask=~mask)
        w = self.query(h).squeeze(-1).masked_fill(~mask, float("-inf")).softmax(dim=-1)
        return self.cls((w.unsqueeze(-1) * h).sum(dim=1))


train = DataLoader(Stream(100, 0), batch_size=16, collate_fn=collate)
valid = DataLoader(Stream(49, 1), batch_size=16, collate_fn=collate)
model = Classifier()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
for epoch in range(3):
    model.train()
    losses = []
    for batch in train:
        logits = model(batch["ids"], batch["mask"])
        loss = F.cross_entropy(logits, batch["labels"])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.detach())
    model.eval()
    correct = seen = 0
    with torch.no_grad():
        for batch in valid:
            out = model(batch["ids"], batch["mask"])
            correct += out.argmax(-1).eq(batch["labels"]).sum().item()
            seen += out.size(0)
    print(epoch, torch.stack(losses).mean().item(), correct / seen)
