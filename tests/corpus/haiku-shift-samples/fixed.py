import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
V, PAD = 60, 0


class HaikuLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, 32, padding_idx=PAD)
        self.rnn = nn.GRU(32, 64, batch_first=True)
        self.out = nn.Linear(64, V)

    def forward(self, x):
        h, _ = self.rnn(self.emb(x))
        return self.out(h)


poems = torch.randint(1, V, (120, 17))
loader = DataLoader(TensorDataset(poems), batch_size=20, shuffle=True)
model = HaikuLM()
criterion = nn.CrossEntropyLoss(ignore_index=PAD)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
for epoch in range(3):
    total = 0.0
    for (batch,) in loader:
        logits = model(batch[:, :-1])
        target = batch[:, 1:]
        loss = criterion(logits.reshape(-1, V), target.reshape(-1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch} ppl {torch.tensor(total / len(loader)).exp().item():.2f}")
