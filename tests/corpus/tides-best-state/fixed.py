import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.randn(160, 20)
y = x[:, :3].sum(1, keepdim=True) + 1.5 * torch.randn(160, 1)
train_loader = DataLoader(TensorDataset(x[:100], y[:100]), batch_size=16, shuffle=True)
val_x, val_y = x[100:], y[100:]

model = nn.Sequential(nn.Linear(20, 128), nn.ReLU(), nn.Linear(128, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.MSELoss()
best_loss, best_weights = float("inf"), None

for epoch in range(15):
    model.train()
    for xb, yb in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(xb), yb)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        val_loss = criterion(model(val_x), val_y).item()
    if val_loss < best_loss:
        best_loss = val_loss
        best_weights = {k: v.clone() for k, v in model.state_dict().items()}
    if epoch % 5 == 4:
        print(f"epoch {epoch} val {val_loss:.4f} best {best_loss:.4f}")

model.load_state_dict(best_weights)
with torch.no_grad():
    print("restored val loss", round(criterion(model(val_x), val_y).item(), 4))
