# cause: pictures that are written
import os

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision import transforms
from torchvision.datasets import MNIST
from torchvision.utils import save_image

if not os.path.exists("./mlp_img"):
    os.mkdir("./mlp_img")


def to_img(x):
    x = 0.5 * (x + 1)
    x = x.clamp(0, 1)
    return x.view(x.size(0), 1, 28, 28)


num_epochs = 20
img_transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize([0.5], [0.5])])
dataloader = DataLoader(MNIST("./data", transform=img_transform), batch_size=128, shuffle=True)
encoder = nn.Sequential(nn.Linear(28 * 28, 64), nn.ReLU(True), nn.Linear(64, 3))
decoder = nn.Sequential(nn.Linear(3, 64), nn.ReLU(True), nn.Linear(64, 28 * 28), nn.Tanh())
model = nn.Sequential(encoder, decoder)
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-5)
for epoch in range(num_epochs):
    for img, _ in dataloader:
        img = img.view(img.size(0), -1)
        output = model(img)
        loss = criterion(output, img)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"epoch [{epoch + 1}/{num_epochs}], loss:{loss.item():.4f}")
    if epoch % 10 == 0:
        save_image(to_img(output.detach()), f"./mlp_img/image_{epoch}.png")
torch.save(model.state_dict(), "./sim_autoencoder.pth")
