# cause: an accelerator
import torch
from torch import nn

device = torch.accelerator.current_accelerator().type if torch.accelerator.is_available() else "cpu"
if torch.backends.mps.is_available():
    device = "mps"
model = nn.Sequential(nn.Flatten(), nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 3)).to(device)
X = torch.rand(5, 4, 4, device=device)
print(nn.Softmax(dim=1)(model(X)).argmax(1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
for _ in range(4):
    loss = nn.functional.cross_entropy(model(X), torch.zeros(5, dtype=torch.long, device=device))
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
