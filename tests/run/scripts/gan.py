"""A DCGAN on MNIST: two optimisers, detached fakes, a grid of samples."""
import torch
import torch.nn as nn
import torchvision
import torchvision.transforms as T
from torch.utils.data import DataLoader
from torchvision.utils import make_grid, save_image

latent, batch = 64, 128
data = torchvision.datasets.MNIST("data", train=True, download=True, transform=T.Compose([T.Resize(32), T.ToTensor(), T.Normalize((0.5,), (0.5,))]))
loader = DataLoader(data, batch_size=batch, shuffle=True, drop_last=True)

generator = nn.Sequential(
    nn.ConvTranspose2d(latent, 64, 4, 1, 0, bias=False), nn.BatchNorm2d(64), nn.ReLU(True),
    nn.ConvTranspose2d(64, 32, 4, 2, 1, bias=False), nn.BatchNorm2d(32), nn.ReLU(True),
    nn.ConvTranspose2d(32, 16, 4, 2, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(True),
    nn.ConvTranspose2d(16, 1, 4, 2, 1, bias=False), nn.Tanh(),
)
discriminator = nn.Sequential(
    nn.Conv2d(1, 16, 4, 2, 1), nn.LeakyReLU(0.2, True), nn.Conv2d(16, 32, 4, 2, 1), nn.LeakyReLU(0.2, True),
    nn.Conv2d(32, 64, 4, 2, 1), nn.LeakyReLU(0.2, True), nn.Conv2d(64, 1, 4, 1, 0), nn.Flatten(0),
)
loss_fn = nn.BCEWithLogitsLoss()
opt_g = torch.optim.Adam(generator.parameters(), lr=2e-4, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(discriminator.parameters(), lr=2e-4, betas=(0.5, 0.999))
fixed = torch.randn(16, latent, 1, 1)
for epoch in range(5):
    for i, (real, _) in enumerate(loader):
        noise = torch.randn(real.size(0), latent, 1, 1)
        fake = generator(noise)
        opt_d.zero_grad()
        loss_real = loss_fn(discriminator(real), torch.ones(real.size(0)))
        loss_fake = loss_fn(discriminator(fake.detach()), torch.zeros(real.size(0)))
        (loss_real + loss_fake).backward()
        opt_d.step()
        opt_g.zero_grad()
        loss_g = loss_fn(discriminator(fake), torch.ones(real.size(0)))
        loss_g.backward()
        opt_g.step()
        if i % 100 == 0:
            print(epoch, i, loss_g.item())
    with torch.no_grad():
        grid = make_grid(generator(fixed), nrow=4, normalize=True)
    save_image(grid, f"samples_{epoch}.png")
