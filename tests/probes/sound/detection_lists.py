"""Lists of pictures of different sizes in, a dict of losses out while training and boxes otherwise."""
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Conv2d(3, 8, 3, padding=1), nn.Linear(8, 4)

    def forward(self, images, targets=None):
        boxes = torch.stack([self.head(torch.relu(self.body(image[None])).mean((2, 3))[0]) for image in images])
        if self.training:
            return {"box": F.l1_loss(boxes, torch.stack([t["box"] for t in targets]))}
        return [{"box": box, "score": box.sum().sigmoid()} for box in boxes]


model = Detector()
opt = torch.optim.Adam(model.parameters())
for step in range(4):
    model.train()
    images = [torch.rand(3, 12 + i, 10) for i in range(5)]
    losses = model(images, [{"box": torch.rand(4)} for _ in images])
    loss = sum(losses.values())
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.eval()
    with torch.no_grad():
        found = model(images)
print(len(found))
