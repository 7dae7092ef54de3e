import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Rater(nn.Module):
    def __init__(self, words, dim=16):
        super().__init__()
        self.embed = nn.Embedding(words, dim, padding_idx=0)
        layer = nn.TransformerEncoderLayer(dim, 2, 32, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)
        self.head = nn.Linear(dim, 3)

    def forward(self, ids):
        pad = ids == 0
        h = self.encoder(self.embed(ids), src_key_padding_mask=pad)
        keep = (ids != 0).unsqueeze(-1).float()
        return self.head((h * keep).sum(1) / keep.sum(1))

reviews = [torch.randint(1, 60, (n,)) for n in torch.randint(3, 11, (64,)).tolist()]
ids = nn.utils.rnn.pad_sequence(reviews + [torch.randint(1, 60, (12,))], batch_first=True)[:64]
train = TensorDataset(ids, torch.randint(0, 3, (64,)))
model = Rater(60)

loader = DataLoader(train, batch_size=16, shuffle=True)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    total = 0.0
    for x, y in loader:
        out = model(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: loss {total / len(loader):.4f}")
