"""Cases of SW318."""

from . import filled

_SCRIPT = """
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Fields(Dataset):
    def __init__(self, count):
        g = torch.Generator().manual_seed(3)
        coarse = torch.randint(0, {kinds}, (count, 1, 5, 5), generator=g).float()
        self.label = F.interpolate(coarse, size=(20, 20), mode="nearest")[:, 0]
        self.image = torch.randn(count, 3, 20, 20, generator=g) + self.label[:, None]

    def __len__(self):
        return len(self.label)

    def __getitem__(self, i):
        image, label = self.image[i], self.label[i]
        image = F.interpolate(image[None], size=(16, 16), mode="bilinear")[0]
        {resized}
        return image, label


torch.manual_seed(0)
net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, {kinds}, 1))
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for epoch in range(2):
    for image, label in DataLoader(Fields(24), batch_size=8, shuffle=True):
        loss = {loss}
        opt.zero_grad()
        loss.backward()
        opt.step()
with torch.no_grad():
    image, label = next(iter(DataLoader(Fields(8), batch_size=8)))
    {judged}
"""
_SOUND = {
    "kinds": "5",
    "resized": 'label = F.interpolate(label[None, None], size=(16, 16), mode="nearest")[0, 0].long()',
    "loss": "F.cross_entropy(net(image), label)",
    "judged": "print((net(image).argmax(1) == label).float().mean().item())",
}
_GRID = "grid = F.affine_grid(torch.eye(2, 3)[None], (1, 1, 16, 16), align_corners=False)"

FAULTY = (
    (
        filled(
            _SCRIPT,
            **_SOUND
            | {"resized": 'label = F.interpolate(label[None, None], size=(16, 16), mode="bilinear")[0, 0].long()'},
        ),
        21,
    ),
    (
        filled(
            _SCRIPT,
            **_SOUND
            | {
                "resized": f"{_GRID}\n        label = F.grid_sample(label[None, None], grid, align_corners=False)\n"
                "        label = label.round().squeeze().to(torch.int64)"
            },
        ),
        22,
    ),
    (
        filled(
            _SCRIPT,
            **_SOUND
            | {
                "judged": "shown = F.interpolate(net(image).argmax(1)[:, None].float(), scale_factor=2, "
                'mode="bilinear").long()\n    print(shown.flatten().bincount())'
            },
        ),
        36,
    ),
)

SOUND = (
    filled(_SCRIPT, **_SOUND),
    # shares of classes may be averaged, and so may pictures of few gray values
    filled(
        _SCRIPT,
        **_SOUND
        | {
            "resized": "label = F.one_hot(label.long(), 5).permute(2, 0, 1).float()\n"
            '        label = F.interpolate(label[None], size=(16, 16), mode="bilinear")[0].argmax(0)'
        },
    ),
    filled(
        _SCRIPT,
        **_SOUND
        | {
            "resized": _SOUND["resized"]
            + "\n        image = F.interpolate(self.label[i][None, None].expand(1, 3, 20, 20),"
            ' size=(16, 16), mode="bilinear").mul(50).to(torch.uint8)[0] / 255.0'
        },
    ),
    filled(
        _SCRIPT,
        **_SOUND
        | {
            "resized": 'label = F.interpolate(label[None, None], size=(16, 16), mode="bilinear")[0, 0]',
            "loss": "F.mse_loss(net(image).mean(1), label)",
            "judged": "print(F.l1_loss(net(image).mean(1), label).item())",
        },
    ),
)
