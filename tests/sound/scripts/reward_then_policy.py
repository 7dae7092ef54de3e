"""Two stages: a reward model from pairs by the last real token, then REINFORCE against the trained, frozen reward model."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

torch.manual_seed(0)
V, PAD = 20, 0


class RewardModel(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.emb, self.rnn, self.head = nn.Embedding(V, d, padding_idx=PAD), nn.GRU(d, d, batch_first=True), nn.Linear(d, 1)

    def forward(self, ids, mask):
        h, _ = self.rnn(self.emb(ids))
        last = mask.sum(dim=1) - 1
        return self.head(h[torch.arange(h.size(0)), last]).squeeze(-1)


def answer(good):
    n = int(torch.randint(3, 9, (1,)))
    return torch.randint(10, V, (n,)) if good else torch.randint(1, 10, (n,))


pairs = [(answer(True), answer(False)) for _ in range(65)]


def collate(batch):
    chosen, rejected = (pad_sequence(x, batch_first=True, padding_value=PAD) for x in zip(*batch))
    return chosen, (chosen != PAD).long(), rejected, (rejected != PAD).long()


loader = DataLoader(pairs, batch_size=16, shuffle=True, collate_fn=collate)
judge = RewardModel()
optimizer = torch.optim.AdamW(judge.parameters(), lr=1e-2)
rank = nn.MarginRankingLoss(margin=0.5)
for epoch in range(3):
    right = 0
    for chosen, cm, rejected, rm in loader:
        better, worse = judge(chosen, cm), judge(rejected, rm)
        loss = rank(better, worse, torch.ones_like(better)) - F.logsigmoid(better - worse).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        right += (better > worse).sum().item()
    print("reward", epoch, loss.item(), right / len(pairs))

judge.eval()
for p in judge.parameters():
    p.requires_grad_(False)
policy = nn.Parameter(torch.zeros(5, V - 1))
optimizer = torch.optim.Adam([policy], lr=0.1)
baseline = 0.0
for step in range(25):
    dist = torch.distributions.Categorical(logits=policy)
    tokens = dist.sample((16,))
    with torch.no_grad():
        reward = judge(tokens + 1, torch.ones_like(tokens))
    loss = -((reward - baseline) * dist.log_prob(tokens).sum(dim=1)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    baseline += 0.1 * (reward.mean().item() - baseline)
print("policy", reward.mean().item())
