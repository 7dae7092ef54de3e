"""Optimising inputs and latents through trained nets: an autoencoder, then inversion, then an input that maximises a class; nets in eval and frozen."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class AutoEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(20, 32), nn.ReLU(), nn.Linear(32, 4))
        self.decoder = nn.Sequential(nn.Linear(4, 32), nn.ReLU(), nn.Linear(32, 20))

    def forward(self, x):
        return self.decoder(self.encoder(x))


basis = torch.randn(4, 20)
y = torch.randint(0, 3, (150,))
x = (torch.randn(3, 4)[y] + 0.3 * torch.randn(150, 4)) @ basis
loader = DataLoader(TensorDataset(x, y), batch_size=30, shuffle=True)
ae, clf = AutoEncoder(), nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 3))
opt_ae, opt_clf = torch.optim.Adam(ae.parameters(), lr=5e-3), torch.optim.Adam(clf.parameters(), lr=5e-3)
for epoch in range(4):
    for xb, yb in loader:
        noisy = F.dropout(xb, 0.2)
        loss_ae = F.mse_loss(ae(noisy), xb)
        opt_ae.zero_grad()
        loss_ae.backward()
        opt_ae.step()
        loss_clf = F.cross_entropy(clf(xb), yb)
        opt_clf.zero_grad()
        loss_clf.backward()
        opt_clf.step()
    print(epoch, loss_ae.item(), loss_clf.item())
ae.eval().requires_grad_(False)
clf.eval().requires_grad_(False)
z = torch.zeros(8, 4, requires_grad=True)
optimizer = torch.optim.Adam([z], lr=0.1)
for step in range(20):
    loss = F.mse_loss(ae.decoder(z), x[:8])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("inverted", loss.item())
image = torch.randn(1, 20, requires_grad=True)
for step in range(20):
    score = clf(image)[0, 2] - 0.01 * image.pow(2).sum()
    grad, = torch.autograd.grad(score, image)
    with torch.no_grad():
        image += 0.1 * grad / (grad.norm() + 1e-8)
print("class 2", clf(image).softmax(dim=1)[0, 2].item())
errors = (ae(x) - x).pow(2).mean(dim=1)
threshold = errors.mean() + 2 * errors.std()
print("anomalies", (errors > threshold).sum().item())
