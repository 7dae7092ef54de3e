# cause: a tokenizer and a text that are absent
import os
import urllib.request

import tiktoken
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

if not os.path.exists("the-verdict.txt"):
    urllib.request.urlretrieve("https://example.org/the-verdict.txt", "the-verdict.txt")
with open("the-verdict.txt", "r", encoding="utf-8") as f:
    raw_text = f.read()
CONFIG = {"vocab_size": 50257, "context": 16, "dim": 12, "heads": 2}


class Windows(Dataset):
    def __init__(self, text, tokenizer, size, stride):
        ids = tokenizer.encode(text[:4000], allowed_special={"<|endoftext|>"})
        self.inputs = [torch.tensor(ids[i : i + size]) for i in range(0, len(ids) - size, stride)]
        self.targets = [torch.tensor(ids[i + 1 : i + size + 1]) for i in range(0, len(ids) - size, stride)]

    def __len__(self):
        return len(self.inputs)

    def __getitem__(self, i):
        return self.inputs[i], self.targets[i]


class Model(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok_emb = nn.Embedding(cfg["vocab_size"], cfg["dim"])
        self.pos_emb = nn.Embedding(cfg["context"], cfg["dim"])
        self.qkv = nn.Linear(cfg["dim"], 3 * cfg["dim"])
        self.heads = cfg["heads"]
        self.norm = nn.LayerNorm(cfg["dim"])
        self.head = nn.Linear(cfg["dim"], cfg["vocab_size"], bias=False)
        self.register_buffer("mask", torch.triu(torch.ones(cfg["context"], cfg["context"]), diagonal=1).bool())

    def forward(self, idx):
        b, t = idx.shape
        x = self.tok_emb(idx) + self.pos_emb(torch.arange(t, device=idx.device))
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(2, 3) / k.shape[-1] ** 0.5
        weights = torch.softmax(scores.masked_fill(self.mask[:t, :t], -torch.inf), dim=-1)
        x = x + (weights @ v).transpose(1, 2).reshape(b, t, -1)
        return self.head(self.norm(x))


tokenizer = tiktoken.get_encoding("gpt2")
loader = DataLoader(Windows(raw_text, tokenizer, 16, 16), batch_size=2, shuffle=True, drop_last=True)
model = Model(CONFIG)
optimizer = torch.optim.AdamW(model.parameters(), lr=4e-4, weight_decay=0.1)
for epoch in range(10):
    model.train()
    for inputs, targets in loader:
        optimizer.zero_grad()
        logits = model(inputs)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        loss.backward()
        optimizer.step()
model.eval()
ids = torch.tensor(tokenizer.encode("Every effort moves you")).unsqueeze(0)
for _ in range(8):
    with torch.no_grad():
        logits = model(ids[:, -16:])[:, -1, :]
    ids = torch.cat((ids, torch.argmax(logits, dim=-1, keepdim=True)), dim=1)
print(tokenizer.decode(ids.squeeze(0).tolist()))
