import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Intent(nn.Module):
    def __init__(self, words, hidden=18):
        super().__init__()
        self.embed = nn.Embedding(words, 14)
        self.lstm = nn.LSTM(14, hidden, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(hidden, 5)

    def forward(self, ids):
        _, (h, _) = self.lstm(self.embed(ids))
        return self.fc(h[-1])

train = TensorDataset(torch.randint(0, 50, (80, 9)), torch.randint(0, 5, (80,)))
model = Intent(50)

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
