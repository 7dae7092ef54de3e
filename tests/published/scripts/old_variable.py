# cause: an old spelling
import numpy as np
import torch
import torch.nn as nn
import torch.nn.init as init
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset

best = np.Inf
x = Variable(torch.unsqueeze(torch.linspace(-1, 1, 30), dim=1))
y = x.pow(2) + Variable(0.2 * torch.rand(x.size()))
torch_dataset = TensorDataset(data_tensor=x.data, target_tensor=y.data)
loader = DataLoader(dataset=torch_dataset, batch_size=8, shuffle=True)
net = nn.Sequential(nn.Linear(1, 10), nn.ReLU(), nn.Linear(10, 1))
init.xavier_uniform(net[0].weight)
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, verbose=True)
first, _ = iter(loader).next()
print(first.size())
for epoch in range(5):
    for step, (batch_x, batch_y) in enumerate(loader):
        b_x, b_y = Variable(batch_x), Variable(batch_y)
        loss = nn.MSELoss()(net(b_x), b_y)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm(net.parameters(), 1.0)
        optimizer.step()
    scheduler.step(loss.item())
    if loss.data.item() < best:
        best = loss.data.item()
mask = np.array([True, False], dtype=np.bool)
