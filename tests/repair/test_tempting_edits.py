"""Where the edit that mends a silent fault elsewhere would be wrong, or only half of it: it is not called safe, or whole."""

import pytest

import shapewright
from shapewright.rules import find_rule

CHOSEN_BY_ACCURACY = """
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(80, 4)
y = (x[:, 0] > 0).long()
net = nn.Linear(4, 2)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
lowest = None
for epoch in range(5):
    net.train()
    running = 0.0
    for pick in torch.randperm(60).split(20):
        loss = nn.functional.cross_entropy(net(x[:60][pick]), y[:60][pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item()
    net.eval()
    with torch.no_grad():
        right = (net(x[60:]).argmax(1) == y[60:]).float().mean().item()
    if lowest is None or running < lowest:
        lowest = running
        torch.save(net.state_dict(), "best.pt")
    print(epoch, running, right)
"""
BRIGHTER = """
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset
torch.manual_seed(0)
class Scenes(Dataset):
    def __init__(self):
        self.pictures = torch.rand(16, 3, 8, 10)
        self.masks = (self.pictures.sum(1) > 1.5).float()
    def __len__(self):
        return len(self.pictures)
    def __getitem__(self, i):
        picture, mask = self.pictures[i], self.masks[i]
        if torch.rand(()) < 0.5:
            picture = (picture * 1.1).flip(-1)
        return picture, mask
net = nn.Conv2d(3, 1, 3, padding=1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in DataLoader(Scenes(), batch_size=4, shuffle=True):
    loss = nn.functional.binary_cross_entropy_with_logits(net(x).squeeze(1), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
THREE_PARTS = """
import torch
from torch import nn
torch.manual_seed(0)
rows, goals = torch.randn(80, 5), torch.randn(80, 1)
{parts}
net = nn.Linear(5, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for pick in torch.randperm(len(train)).split(16):
        loss = (net(train[pick]) - goals[pick]).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print((net(test) - goals[60:]).abs().mean().item())
"""
WHOLE = "train, val, test = rows, rows[50:60], rows[60:]"
ALONE = """train, val, test = rows[:50] * 4 + 2, rows[50:60] * 4 + 2, rows[60:] * 4 + 2
train, val, test = ((part - part.mean(0)) / part.std(0) for part in (train, val, test))"""

STATES = """
import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(40, 9, 3)
y = (x[:, :, 0].sum(1) > 0).long()

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gates, self.out = nn.Linear(3 + 12, 36), nn.Linear(12, 2)

    def forward(self, x):
        for t in range(x.size(1)):
            h = torch.zeros(len(x), 12)
            c = torch.zeros(len(x), 12)
            keep, take, new = self.gates(torch.cat([x[:, t], h], 1)).chunk(3, 1)
            c = keep.sigmoid() * c + take.sigmoid() * new.tanh()
            h = c.tanh()
        return self.out(h)

net = Net()
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
"""
PENALIZED = """
import torch
from torch import nn
torch.manual_seed(0)

def drawn(n):
    angle = torch.randint(0, 8, (n,)) * 0.7
    centre = torch.stack([angle.cos(), angle.sin()], dim=2)
    return centre + 0.05 * torch.randn(n, 2)

critic = nn.Linear(2, 1)
opt = torch.optim.SGD(critic.parameters(), lr=0.1)
for _ in range(3):
    loss = critic(torch.randn(16, 2)).mean() - critic(drawn(16)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


@pytest.mark.parametrize(
    "text",
    (CHOSEN_BY_ACCURACY, BRIGHTER, THREE_PARTS.format(parts=WHOLE), THREE_PARTS.format(parts=ALONE)),
    ids=("accuracy", "brighter", "whole", "alone"),
)
def test_it_is_not_safe(text, tmp_path, resident):
    path = tmp_path / "train.py"
    path.write_text(text)
    found = shapewright.check(path, resident=resident).findings
    assert found and not [fix for finding in found for fix in finding.fixes if fix.safe]


def test_both_states_are_kept(repaired):
    text = repaired(STATES)
    assert text.index("h = torch.zeros") < text.index("c = torch.zeros") < text.index("for t in range(x.size(1))")


def test_two_tensors_stacked_along_an_axis_too_far(repaired):
    assert "angle.sin()], dim=-1)" in repaired(PENALIZED)


def test_an_axis_put_in_that_crosses_all_with_all_is_unsafe(broken_by):
    one = "centre = torch.cat([angle.cos()], dim=1) + 0.05 * torch.randn(n)"
    text = PENALIZED.replace("centre = torch.stack([angle.cos(), angle.sin()], dim=2)", one)
    text = text.replace("return centre + 0.05 * torch.randn(n, 2)", "return centre.mean().expand(n, 2)")
    assert broken_by(text, "angle.cos().unsqueeze(1)") == "crossed"


DRAWN = """
import torch
from torch import nn
torch.manual_seed(0)
LEVELS = 20
table = nn.Embedding(7, 4)
opt = torch.optim.SGD(table.parameters(), lr=0.1)
for _ in range(3):
    loss = table(torch.randint(0, LEVELS, (6,))).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def test_a_table_has_a_row_for_all_that_indices_are_drawn_from(proposed):
    _, finding, found = proposed(DRAWN)
    assert finding.facts.remedy.wanted == 20 and any("20" in edit.replacement for one in found for edit in one.edits)


def test_a_loss_that_was_given_its_target_first(repaired):
    assert "logits(judge(fake), ones)" in repaired(find_rule("SW213").faulty[1][0])


POOLED_PADDING = """
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

torch.manual_seed(0)


class Pooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(20, 8, padding_idx=0)
        self.weigh, self.head = nn.Linear(8, 1), nn.Linear(8, 2)

    def forward(self, words, mask):
        h = self.words(words)
        score = self.weigh(h).squeeze(-1)
        score = score.masked_fill(mask, -1e9)
        return self.head((torch.softmax(score, dim=1).unsqueeze(-1) * h).sum(1))


net = Pooled()
opt = torch.optim.Adam(net.parameters(), 1e-2)
rows = [torch.randint(1, 20, (n,)) for n in (3, 9, 5, 7, 4, 8, 6, 2)]
for _ in range(4):
    words = pad_sequence(rows, batch_first=True)
    loss = nn.functional.cross_entropy(net(words, words != 0), torch.tensor([int(row[0] > 9) for row in rows]))
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def test_a_mask_of_the_samples_is_turned_over_and_not_covered_by_a_second_one(repaired):
    assert ".masked_fill(~mask, -1e9)" in repaired(POOLED_PADDING)
