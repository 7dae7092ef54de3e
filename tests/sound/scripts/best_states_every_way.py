"""States kept as copies, averaged, restored and handed on; a best model picked by several measures."""
import copy
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(90, 6)
y = x[:, :2].sum(1, keepdim=True) + 0.3 * torch.randn(90, 1)
train_loader = DataLoader(TensorDataset(x[:60], y[:60]), batch_size=16, shuffle=True)
val_loader = DataLoader(TensorDataset(x[60:], y[60:]), batch_size=10)
model = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1))
start = {name: value.detach().clone() for name, value in model.state_dict().items()}
teacher = copy.deepcopy(model).requires_grad_(False)
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
plan = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=2)
best_loss, best_state, best_model = float("inf"), None, None
snapshots = []


def evaluate(net, loader):
    was = net.training
    net.eval()
    total, seen = 0.0, 0
    with torch.no_grad():
        for rows, goals in loader:
            out = net(rows)
            total += nn.functional.mse_loss(out, goals, reduction="sum").item()
            seen += len(rows)
    net.train(was)
    return total / seen


for epoch in range(6):
    model.train()
    running = 0.0
    for i, (rows, goals) in enumerate(train_loader):
        opt.zero_grad()
        loss = nn.functional.mse_loss(model(rows), goals)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        plan.step(epoch + i / len(train_loader))
        running += loss.item()
        with torch.no_grad():
            for slow, fast in zip(teacher.parameters(), model.parameters()):
                slow.lerp_(fast, 0.1)
    val_loss = evaluate(model, val_loader)
    if val_loss < best_loss:
        best_loss, best_state = val_loss, copy.deepcopy(model.state_dict())
        best_model = copy.deepcopy(model)
    if epoch >= 3:
        snapshots.append({name: value.clone() for name, value in model.state_dict().items()})
    print(epoch, running / len(train_loader), val_loss, evaluate(teacher, val_loader))

mean = {name: torch.stack([state[name].float() for state in snapshots]).mean(0) for name in snapshots[0]}
current = model.state_dict()
model.load_state_dict(current)
model.load_state_dict(mean)
print("averaged", evaluate(model, val_loader))
model.load_state_dict(best_state)
print("best", evaluate(model, val_loader), evaluate(best_model, val_loader))
fresh = nn.Sequential(nn.Linear(6, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1))
fresh.load_state_dict(model.state_dict(), strict=False)
model.load_state_dict(start)
final = model
print("start", evaluate(final, val_loader), "copied", evaluate(fresh, val_loader))
last = None
with torch.no_grad():
    for rows, goals in val_loader:
        guess = fresh(rows)
print("a few of the last batch", guess[:3].flatten().tolist(), goals[:3].flatten().tolist())
