"""Mean teacher and FixMatch: unlabelled loader zipped, teacher in training mode on purpose, confidence mask, pseudo-labels under no_grad."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


def net():
    return nn.Sequential(nn.Linear(10, 32), nn.BatchNorm1d(32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 4))


protos = torch.randn(4, 10)
y = torch.randint(0, 4, (40,))
labelled = TensorDataset(protos[y] + 0.5 * torch.randn(40, 10), y)
hidden = torch.randint(0, 4, (160,))
unlabelled = TensorDataset(protos[hidden] + 0.5 * torch.randn(160, 10))
student, teacher = net(), net()
teacher.load_state_dict(student.state_dict())
for p in teacher.parameters():
    p.detach_()
optimizer = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
step = 0
for epoch in range(4):
    student.train()
    teacher.train()
    for (x, t), (u,) in zip(DataLoader(labelled, 8, shuffle=True, drop_last=True), DataLoader(unlabelled, 32, shuffle=True)):
        weak, strong = u + 0.05 * torch.randn_like(u), u + 0.3 * torch.randn_like(u)
        with torch.no_grad():
            target = teacher(weak).softmax(dim=1)
            pseudo = student(weak).softmax(dim=1)
            confidence, guess = pseudo.max(dim=1)
        out = student(strong)
        consistency = F.mse_loss(out.softmax(dim=1), target)
        fix = (F.cross_entropy(out, guess, reduction="none") * (confidence > 0.8).float()).mean()
        loss = F.cross_entropy(student(x), t) + consistency + 0.5 * fix
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        alpha = min(1 - 1 / (step + 1), 0.99)
        for tp, sp in zip(teacher.parameters(), student.parameters()):
            tp.mul_(alpha).add_(sp.detach(), alpha=1 - alpha)
    evaluator = copy.deepcopy(teacher).eval()
    with torch.no_grad():
        acc = (evaluator(unlabelled.tensors[0]).argmax(1) == hidden).float().mean().item()
    print(epoch, loss.item(), acc)
