import torch
import torch.nn as nn
from dataclasses import dataclass
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class ViTConfig:
    image_size: int = 24
    patch_size: int = 6
    in_channels: int = 3
    hidden_size: int = 32
    num_layers: int = 2
    num_heads: int = 4
    num_labels: int = 4


class PatchEmbeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_patches = (config.image_size // config.patch_size) ** 2
        self.projection = nn.Conv2d(config.in_channels, config.hidden_size, config.patch_size, config.patch_size)

    def forward(self, x):
        return self.projection(x).flatten(2).transpose(1, 2)


class Embeddings(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.patches = PatchEmbeddings(config)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, config.hidden_size))
        self.position_embeddings = nn.Parameter(torch.zeros(1, self.patches.n_patches, config.hidden_size))

    def forward(self, x):
        x = self.patches(x)
        cls_tokens = self.cls_token.expand(x.shape[0], -1, -1)
        x = torch.cat((cls_tokens, x), dim=1)
        return x + self.position_embeddings


class ViT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.embeddings = Embeddings(config)
        layer = nn.TransformerEncoderLayer(config.hidden_size, config.num_heads, 64, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, config.num_layers)
        self.classifier = nn.Linear(config.hidden_size, config.num_labels)

    def forward(self, x):
        return self.classifier(self.encoder(self.embeddings(x))[:, 0])


torch.manual_seed(0)
labels = torch.randint(0, 4, (48,))
images = torch.rand(48, 3, 24, 24) + labels.view(-1, 1, 1, 1) * 0.3
loader = DataLoader(TensorDataset(images, labels), batch_size=12)
model = ViT(ViTConfig())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(3):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, "loss", f"{loss.item():.4f}")
