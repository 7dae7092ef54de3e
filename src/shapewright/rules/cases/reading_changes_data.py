"""Cases of SW239."""

from . import filled

_SCRIPT = """
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Waves(Dataset):
    def __init__(self):
        self.rows = np.random.randn(24, 3).astype(np.float32)
        self.seen = np.zeros(24)

    def __len__(self):
        return 24

    def __getitem__(self, i):
        row = self.rows[i]{copy}
        {change}
        return torch.from_numpy(row)

model = nn.Linear(3, 1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for x in DataLoader(Waves(), batch_size=8):
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""

FAULTY = (
    (_SCRIPT.replace("{copy}", "").replace("{change}", "row += np.float32(0.1)"), 17),
    (_SCRIPT.replace("{copy}", "").replace("{change}", "row[:2] = row[:2] * 0.5 - 1"), 17),
)

SOUND = (
    _SCRIPT.replace("{copy}", ".copy()").replace("{change}", "row += np.float32(0.1)"),
    _SCRIPT.replace("{copy}", "").replace("{change}", "row = row + np.float32(0.1)"),
    _SCRIPT.replace("{copy}", "").replace("{change}", "self.seen[i] = 1"),
)

# boxes beside pictures, mirrored in each other reading; pairs, mappings, lists of numbers, a wrapper and a batch
_BOXES = """
import random
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

class Scenes(Dataset):
    def __init__(self):
        self.kept = [{kept} for _ in range(24)]
        self.reads = torch.zeros(24)

    def __len__(self):
        return 24

    def __getitem__(self, i):
        {taken}
        self.reads[i] += 1
        if random.random() < 0.5:
            image = image.flip(-1)
            {change}
        return image, torch.as_tensor(box)
{wrapper}
model = nn.Linear(16, 4)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for image, box in DataLoader({data}, batch_size=8{collate}):
    loss = (model(image.flatten(1)) - box).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
_PAIR = "(torch.randn(4, 4), torch.rand(4))"
_WRAPPER = """
class Turned(Dataset):
    def __init__(self, inner):
        self.inner = inner

    def __len__(self):
        return len(self.inner)

    def __getitem__(self, i):
        image, box = self.inner[i]
        {change}
        return image, box
"""
_JOIN = """
def join(samples):
    for image, box in samples:
        {change}
    return torch.stack([s[0] for s in samples]), torch.stack([s[1] for s in samples])
"""


def _scenes(change, kept=_PAIR, taken="image, box = self.kept[i]", wrapper="", data="Scenes()", collate=""):
    parts = {"change": change, "kept": kept, "taken": taken, "wrapper": wrapper, "data": data, "collate": collate}
    return filled(_BOXES, **parts)


_MAPPED = {"kept": '{"image": torch.randn(4, 4), "box": [0.1, 0.2, 0.3, 0.4]}'}
_MAPPED["taken"] = 'image, box = self.kept[i]["image"], self.kept[i]["box"]'
_TAKEN = "self.drawn = getattr(self, 'drawn', torch.Generator())\n        image, box = self.kept[i]"
_LIST = "box[0], box[2] = 1 - box[2], 1 - box[0]"
FAULTY += (
    (_scenes("box[0] = 1 - box[0]"), 20),
    (_scenes("box.mul_(-1).add_(1)"), 20),
    (_scenes(_LIST, **_MAPPED), 20),
    (_scenes("box[random.randrange(4)] = 0"), 20),
    (_scenes("box.add_(torch.rand(4, generator=self.drawn))", taken=_TAKEN), 21),
    (
        _scenes("image = image.flip(-1)", wrapper=filled(_WRAPPER, change="box[::2] += 0.1"), data="Turned(Scenes())"),
        32,
    ),
    (_scenes("image = image.flip(-1)", wrapper=filled(_JOIN, change="image -= 0.5"), collate=", collate_fn=join"), 25),
)
SOUND += (
    _scenes("box = 1 - box"),
    _scenes("box = box + torch.rand(4, generator=self.drawn)", taken=_TAKEN),
    _scenes("box[0] = 1 - box[0]", taken="image, box = self.kept[i][0], self.kept[i][1].clone()"),
    _scenes(_LIST, **_MAPPED | {"taken": 'image, box = self.kept[i]["image"], list(self.kept[i]["box"])'}),
    _scenes("image = image.flip(-1)", wrapper=filled(_WRAPPER, change="box = box + 0.1"), data="Turned(Scenes())"),
    _scenes(
        "image = image.flip(-1)",
        wrapper=filled(_JOIN, change="low = (image - 0.5).min().item()"),
        collate=", collate_fn=join",
    ),
    # filled in when it is first asked for
    _scenes("image = image.flip(-1)", taken="image, box = self.kept[i]\n        box[3] = image.mean()"),
)
