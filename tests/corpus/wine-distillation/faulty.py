import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

teacher = nn.Sequential(nn.Linear(11, 64), nn.ReLU(), nn.Linear(64, 5))
student = nn.Sequential(nn.Linear(11, 16), nn.ReLU(), nn.Linear(16, 5))
teacher.eval()
for p in teacher.parameters():
    p.requires_grad_(False)
train = TensorDataset(torch.randn(160, 11), torch.randint(0, 5, (160,)))
opt = torch.optim.SGD(student.parameters(), lr=0.05)
T = 3.0
for epoch in range(2):
    for x, y in DataLoader(train, batch_size=32, shuffle=True):
        s, t = student(x), teacher(x)
        hard = F.cross_entropy(s, y)
        soft = F.kl_div(F.log_softmax(t / T, dim=1), F.softmax(s / T, dim=1), reduction="batchmean") * T * T
        loss = 0.3 * hard + 0.7 * soft
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
