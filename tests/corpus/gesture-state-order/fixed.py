import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

HIDDEN, LAYERS = 20, 2


class GestureLSTM(nn.Module):
    def __init__(self, n_sensors, n_classes):
        super().__init__()
        self.lstm = nn.LSTM(n_sensors, HIDDEN, num_layers=LAYERS, batch_first=True)
        self.fc = nn.Linear(HIDDEN, n_classes)

    def init_state(self, batch_size):
        h0 = torch.zeros(LAYERS, batch_size, HIDDEN)
        c0 = torch.zeros(LAYERS, batch_size, HIDDEN)
        return h0, c0

    def forward(self, x):
        state = self.init_state(x.size(0))
        out, _ = self.lstm(x, state)
        return self.fc(out[:, -1, :])


torch.manual_seed(0)
y = torch.randint(0, 3, (84,))
x = torch.randn(84, 15, 6) * 0.5 + y.view(-1, 1, 1)
loader = DataLoader(TensorDataset(x, y), batch_size=12, shuffle=True)
model = GestureLSTM(6, 3)
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
crit = nn.CrossEntropyLoss()
for epoch in range(3):
    total = 0
    for xb, yb in loader:
        opt.zero_grad()
        loss = crit(model(xb), yb)
        loss.backward()
        opt.step()
        total += loss.item()
    print(f"{epoch}: {total / len(loader):.4f}")
