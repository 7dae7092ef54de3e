import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

class QNet(nn.Module):
    def __init__(self, states, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(states, 24), nn.ReLU(), nn.Linear(24, actions))

    def forward(self, s):
        return self.body(s)

online, target = QNet(4, 2), QNet(4, 2)
target.load_state_dict(online.state_dict())
optimizer = torch.optim.Adam(online.parameters(), lr=1e-3)
memory = TensorDataset(torch.randn(200, 4), torch.randint(0, 2, (200,)), torch.rand(200), torch.randn(200, 4), torch.rand(200) < 0.1)
for s, a, r, s2, done in DataLoader(memory, batch_size=32, shuffle=True):
    q = online(s).gather(1, a.unsqueeze(1)).squeeze(1)
    with torch.no_grad():
        best = target(s2).max(1).values
        wanted = r + 0.99 * best * (~done).float()
    loss = F.smooth_l1_loss(q, wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.4f}")
    target.load_state_dict(online.state_dict())
