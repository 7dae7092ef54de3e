"""MoCo: a queue buffer of keys, enqueue with a ring pointer, logits against positives and queue."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)


class MoCo(nn.Module):
    def __init__(self, dim=16, K=96, m=0.9, T=0.2):
        super().__init__()
        self.K, self.m, self.T = K, m, T
        self.encoder_q = nn.Sequential(nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 16, dim))
        self.encoder_k = copy.deepcopy(self.encoder_q)
        self.encoder_k.requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(dim, K), dim=0))
        self.register_buffer("ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum(self):
        for q, k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            k.data = k.data * self.m + q.data * (1.0 - self.m)

    @torch.no_grad()
    def _enqueue(self, keys):
        b, ptr = keys.shape[0], int(self.ptr)
        assert self.K % b == 0
        self.queue[:, ptr:ptr + b] = keys.T
        self.ptr[0] = (ptr + b) % self.K

    def forward(self, im_q, im_k):
        q = F.normalize(self.encoder_q(im_q), dim=1)
        with torch.no_grad():
            self._momentum()
            k = F.normalize(self.encoder_k(im_k), dim=1)
        l_pos = torch.einsum("nc,nc->n", [q, k]).unsqueeze(-1)
        l_neg = torch.einsum("nc,ck->nk", [q, self.queue.clone().detach()])
        logits = torch.cat([l_pos, l_neg], dim=1) / self.T
        labels = torch.zeros(logits.shape[0], dtype=torch.long)
        self._enqueue(k)
        return logits, labels


images = torch.randn(160, 1, 8, 8)
loader = DataLoader(TensorDataset(images), batch_size=16, shuffle=True, drop_last=True)
model = MoCo()
optimizer = torch.optim.SGD(model.encoder_q.parameters(), lr=0.03, momentum=0.9)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    for (x,) in loader:
        logits, labels = model(x + 0.1 * torch.randn_like(x), torch.flip(x, dims=[3]))
        loss = criterion(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    top1 = (logits.argmax(dim=1) == labels).float().mean()
    print(epoch, loss.item(), top1.item())
