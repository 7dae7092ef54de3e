import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

q_net = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 4))
opt = torch.optim.Adam(q_net.parameters(), lr=1e-3)
replay = TensorDataset(torch.randn(128, 5), torch.randint(0, 4, (128,)), torch.randn(128), torch.randn(128, 5), torch.randint(0, 2, (128,)).float())
for state, action, reward, after, done in DataLoader(replay, batch_size=32, shuffle=True):
    value = q_net(state).gather(1, action[:, None]).squeeze(1)
    best = q_net(after).max(dim=1).values
    wanted = reward + 0.95 * (1 - done) * best
    loss = F.mse_loss(value, wanted)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
