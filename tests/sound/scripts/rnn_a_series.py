"""One long series as a batch of one; an LSTM cell unrolled by hand; a state carried over; a (T, B, F) GRU; a residual forecast."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
T = 100
wave = torch.sin(torch.arange(T + 1).float()[None, :] / 6 + torch.rand(5, 1) * 6.28)
inputs, targets = wave[:, :-1], wave[:, 1:]


class Unrolled(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.out = nn.LSTMCell(1, 20), nn.LSTMCell(20, 20), nn.Linear(20, 1)

    def forward(self, x, future=0):
        outputs, n = [], x.size(0)
        h1, c1, h2, c2 = (torch.zeros(n, 20) for _ in range(4))
        for step in x.split(1, dim=1):
            h1, c1 = self.a(step, (h1, c1))
            h2, c2 = self.b(h1, (h2, c2))
            y = self.out(h2)
            outputs.append(y)
        for _ in range(future):
            h1, c1 = self.a(y, (h1, c1))
            h2, c2 = self.b(h1, (h2, c2))
            y = self.out(h2)
            outputs.append(y)
        return torch.cat(outputs, dim=1)


model = Unrolled()
criterion = nn.MSELoss()
optimizer = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=4)
for step in range(2):
    def closure():
        optimizer.zero_grad()
        loss = criterion(model(inputs[:, :30]), targets[:, :30])
        loss.backward()
        return loss

    optimizer.step(closure)
    with torch.no_grad():
        pred = model(inputs[:1, :30], future=5)
        print(step, criterion(pred[:, :-5], targets[:1, :30]).item(), pred[0, -5:].tolist())

gru, head = nn.GRU(1, 16), nn.Linear(16, 1)
opt = torch.optim.Adam([*gru.parameters(), *head.parameters()], lr=1e-2)
series, goal = inputs.t().unsqueeze(-1), targets.t().unsqueeze(-1)
for epoch in range(3):
    h = None
    for x, y in zip(series.split(20), goal.split(20)):
        out, h = gru(x, h)
        h = h.detach()
        loss = F.mse_loss(x + head(out), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("gru", epoch, loss.item())

lstm, last = nn.LSTM(1, 8, batch_first=True), nn.Linear(8, 1)
opt = torch.optim.Adam([*lstm.parameters(), *last.parameters()], lr=1e-2)
whole, nxt = inputs[0].view(1, -1, 1), targets[0].view(1, -1, 1)
for epoch in range(10):
    opt.zero_grad()
    out, _ = lstm(whole)
    loss = F.mse_loss(last(out), nxt)
    loss.backward()
    opt.step()
print("one", loss.item())
