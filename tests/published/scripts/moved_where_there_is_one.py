# cause: an accelerator
import torch
import torch.nn as nn
import torch.nn.functional as F


def on_card(values):
    if torch.cuda.is_available():
        return [value.cuda() for value in values] if isinstance(values, (list, tuple)) else values.cuda()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.out = nn.Linear(6, 18), nn.Linear(18, 1)

    def forward(self, x):
        return self.out(F.relu(self.hidden(x)))


net = Net()
on_card(net)
optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3)
table = torch.randn(64, 6)
for epoch in range(5):
    for rows in table.split(16):
        given, due = on_card([rows, rows.sum(1, keepdim=True)])
        loss = F.mse_loss(net(given), due)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(epoch, loss.item())
