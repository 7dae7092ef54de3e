import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

PAD, VOCAB, MAX_LEN = 0, 80, 20


class Tickets(Dataset):
    def __init__(self, n=160):
        g = torch.Generator().manual_seed(7)
        self.rows = []
        for _ in range(n):
            label = int(torch.randint(0, 4, (1,), generator=g))
            length = int(torch.randint(5, MAX_LEN - 2, (1,), generator=g))
            ids = torch.randint(1, VOCAB, (length,), generator=g)
            ids[:3] = 1 + 5 * label + torch.randint(0, 5, (3,), generator=g)
            self.rows.append((F.pad(ids, (0, MAX_LEN - length), value=PAD), label))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


class TicketClassifier(nn.Module):
    def __init__(self, dim=32, classes=4):
        super().__init__()
        self.embed = nn.Embedding(VOCAB, dim, padding_idx=PAD)
        self.pos = nn.Parameter(torch.randn(1, MAX_LEN, dim) * 0.02)
        layer = nn.TransformerEncoderLayer(dim, 4, 64, batch_first=True, dropout=0.1)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.fc = nn.Linear(dim, classes)

    def forward(self, ids):
        mask = ids == PAD
        x = self.embed(ids) + self.pos
        x = self.encoder(x, src_key_padding_mask=mask)
        keep = (ids != PAD).unsqueeze(-1).float()
        return self.fc((x * keep).sum(1) / keep.sum(1))


def accuracy(model, loader):
    model.eval()
    hits = 0
    with torch.no_grad():
        for ids, labels in loader:
            hits += (model(ids).argmax(dim=1) == labels).sum().item()
    return hits / len(loader.dataset)


torch.manual_seed(0)
train_loader = DataLoader(Tickets(), batch_size=20, shuffle=True)
model = TicketClassifier()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(3):
    model.train()
    for ids, labels in train_loader:
        loss = F.cross_entropy(model(ids), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss", round(loss.item(), 4), "acc", round(accuracy(model, train_loader), 3))
