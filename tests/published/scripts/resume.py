# cause: a checkpoint that is absent
import torch
import torch.nn as nn

net = nn.Sequential(nn.Linear(5, 6), nn.Tanh(), nn.Linear(6, 2))
opt = torch.optim.Adam(net.parameters())
checkpoint = torch.load("checkpoints/last.pth.tar", map_location="cpu")
net.load_state_dict(checkpoint["state_dict"])
opt.load_state_dict(checkpoint["optimizer"])
start, best = checkpoint["epoch"], checkpoint["best_acc"]
x, y = torch.randn(20, 5), torch.randint(0, 2, (20,))
for epoch in range(start, start + 3):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    acc = (net(x).argmax(1) == y).float().mean().item()
    best = max(best, acc)
    torch.save({"epoch": epoch + 1, "state_dict": net.state_dict(), "optimizer": opt.state_dict(), "best_acc": best}, "last.pth.tar")
