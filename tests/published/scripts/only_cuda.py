# cause: an accelerator
import torch
import torch.nn as nn

torch.cuda.set_device(0)
net = nn.Sequential(nn.Linear(10, 16), nn.ReLU(), nn.Linear(16, 4)).cuda()
criterion = nn.CrossEntropyLoss().cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(
    torch.utils.data.TensorDataset(torch.randn(30, 10), torch.randint(0, 4, (30,))), batch_size=8, shuffle=True, pin_memory=True)
for epoch in range(3):
    for x, y in loader:
        x, y = x.cuda(non_blocking=True), y.cuda(non_blocking=True)
        loss = criterion(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
torch.cuda.synchronize()
print(loss.cpu().item(), torch.cuda.max_memory_allocated())
