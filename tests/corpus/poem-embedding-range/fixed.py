import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(30, 10)
        self.lstm = nn.LSTM(10, 14, num_layers=2, batch_first=True)
        self.fc = nn.Linear(14, 3)

    def forward(self, x):
        h0 = torch.zeros(2, x.size(0), 14)
        c0 = torch.zeros(2, x.size(0), 14)
        out, _ = self.lstm(self.embed(x), (h0, c0))
        return self.fc(out[:, -1])


train = TensorDataset(torch.randint(0, 30, (50, 7)), torch.randint(0, 3, (50,)))
model = Net()

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
