import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

image_net, text_net = nn.Linear(30, 16), nn.Linear(22, 16)
train = TensorDataset(torch.randn(90, 30), torch.randn(90, 22))
opt = torch.optim.Adam([*image_net.parameters(), *text_net.parameters()], lr=1e-3)
for epoch in range(2):
    for image, text in DataLoader(train, batch_size=18, shuffle=True):
        a, b = F.normalize(image_net(image), dim=1), F.normalize(text_net(text), dim=1)
        logits = a @ b.t() / 0.07
        labels = torch.arange(logits.size(0))
        loss = (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(epoch, f"{loss.item():.4f}")
