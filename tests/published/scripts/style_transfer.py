# cause: pictures and weights that are absent
import argparse

import torch
import torch.nn as nn
from PIL import Image
from torchvision import models, transforms

parser = argparse.ArgumentParser()
parser.add_argument("--content", type=str, default="png/content.png")
parser.add_argument("--style", type=str, default="png/style.png")
parser.add_argument("--max_size", type=int, default=32)
config = parser.parse_args()
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def load_image(path, transform, max_size=None, shape=None):
    image = Image.open(path).convert("RGB")
    if max_size:
        scale = max_size / max(image.size)
        image = image.resize([int(side * scale) for side in image.size], Image.ANTIALIAS)
    if shape:
        image = image.resize(shape, Image.LANCZOS)
    return transform(image).unsqueeze(0).to(device)


class VGGNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.select = ["0", "2"]
        self.vgg = models.vgg11(pretrained=True).features[:4]

    def forward(self, x):
        features = []
        for name, layer in self.vgg._modules.items():
            x = layer(x)
            if name in self.select:
                features.append(x)
        return features


transform = transforms.Compose([transforms.ToTensor(), transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))])
content = load_image(config.content, transform, max_size=config.max_size)
style = load_image(config.style, transform, shape=[content.size(2), content.size(3)])
target = content.clone().requires_grad_(True)
optimizer = torch.optim.Adam([target], lr=0.003, betas=[0.5, 0.999])
vgg = VGGNet().to(device).eval()
for step in range(200):
    style_loss = content_loss = 0
    for f1, f2, f3 in zip(vgg(target), vgg(content), vgg(style)):
        content_loss += torch.mean((f1 - f2) ** 2)
        _, c, h, w = f1.size()
        f1, f3 = f1.view(c, h * w), f3.view(c, h * w)
        f1, f3 = torch.mm(f1, f1.t()), torch.mm(f3, f3.t())
        style_loss += torch.mean((f1 - f3) ** 2) / (c * h * w)
    loss = content_loss + 100 * style_loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if (step + 1) % 100 == 0:
        print(f"Step [{step + 1}], Content Loss: {content_loss.item():.4f}, Style Loss: {style_loss.item():.4f}")
