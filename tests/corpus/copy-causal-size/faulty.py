import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

PAD, BOS, VOCAB = 0, 1, 20


class CopyTransformer(nn.Module):
    def __init__(self, d_model=24, nhead=4):
        super().__init__()
        self.src_emb = nn.Embedding(VOCAB, d_model)
        self.tgt_emb = nn.Embedding(VOCAB, d_model)
        self.pos = nn.Embedding(32, d_model)
        self.transformer = nn.Transformer(d_model, nhead, 1, 1, 48, dropout=0.0, batch_first=True)
        self.generator = nn.Linear(d_model, VOCAB)

    def embed(self, table, ids):
        return table(ids) + self.pos(torch.arange(ids.size(1)))

    def forward(self, src, tgt, tgt_mask):
        h = self.transformer(self.embed(self.src_emb, src), self.embed(self.tgt_emb, tgt), tgt_mask=tgt_mask)
        return self.generator(h)


def subsequent_mask(size):
    return torch.triu(torch.full((size, size), float("-inf")), diagonal=1)


torch.manual_seed(0)
src = torch.randint(2, VOCAB, (60, 10))
tgt = torch.cat([torch.full((60, 1), BOS), src.flip(1)], dim=1)
loader = DataLoader(TensorDataset(src, tgt), batch_size=12)
model = CopyTransformer()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
for epoch in range(2):
    for s, t in loader:
        mask = subsequent_mask(t.size(1))
        logits = model(s, t[:, :-1], mask)
        loss = criterion(logits.reshape(-1, VOCAB), t[:, 1:].reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss", round(loss.item(), 4))
