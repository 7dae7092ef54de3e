# cause: an accelerator
import torch
import torch.nn as nn

device = "cuda" if torch.cuda.is_available() else "cpu"
net = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 64, 5)).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
scaler = torch.cuda.amp.GradScaler(enabled=device == "cuda")
loader = torch.utils.data.DataLoader([(torch.randn(3, 8, 8), i % 5) for i in range(20)], batch_size=4)
for epoch in range(3):
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad(set_to_none=True)
        with torch.cuda.amp.autocast(enabled=device == "cuda"):
            loss = nn.functional.cross_entropy(net(x), y)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
