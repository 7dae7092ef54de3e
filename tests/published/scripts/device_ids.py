# cause: an accelerator
import os

import torch
import torch.nn as nn

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
gpu = 0
model = nn.GRU(6, 7, batch_first=True).to(gpu)
head = nn.Linear(7, 2).to(f"cuda:{gpu}")
stream = torch.cuda.Stream(device=gpu)
optimizer = torch.optim.Adam([*model.parameters(), *head.parameters()])
for step in range(5):
    x = torch.randn(4, 5, 6).pin_memory().to(gpu, non_blocking=True)
    y = torch.randint(0, 2, (4,), device="cuda")
    out, h = model(x, torch.zeros(1, 4, 7, device=x.device))
    loss = nn.functional.cross_entropy(head(out[:, -1]), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.cuda.stream(stream):
    print(head(h.squeeze(0)).cpu().detach().numpy().shape)
