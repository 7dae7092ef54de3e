import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB = 30


class LM(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.head = nn.Linear(dim, VOCAB)

    def forward(self, ids):
        return self.head(self.rnn(self.emb(ids))[0])


def logps(model, ids):
    logp = F.log_softmax(model(ids[:, :-1]), dim=-1)
    return logp.gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2).sum(dim=1)


def dpo_loss(policy_chosen_logps, policy_rejected_logps, reference_chosen_logps, reference_rejected_logps, beta=0.1):
    pi_logratios = policy_chosen_logps - policy_rejected_logps
    ref_logratios = reference_chosen_logps - reference_rejected_logps
    logits = pi_logratios - ref_logratios
    return -F.logsigmoid(beta * logits).mean()


torch.manual_seed(0)
policy = LM()
reference = copy.deepcopy(policy).requires_grad_(False)
optimizer = torch.optim.Adam(policy.parameters(), lr=2e-3)
for step in range(30):
    prompt = torch.randint(0, VOCAB, (8, 4))
    chosen = torch.cat([prompt, torch.randint(0, 15, (8, 6))], dim=1)
    rejected = torch.cat([prompt, torch.randint(15, VOCAB, (8, 6))], dim=1)
    with torch.no_grad():
        ref_c, ref_r = logps(reference, chosen), logps(reference, rejected)
    loss = dpo_loss(logps(policy, chosen), logps(policy, rejected), ref_c, ref_r)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 9:
        with torch.no_grad():
            gap = (logps(policy, chosen) - logps(policy, rejected)).mean()
        print(step + 1, round(loss.item(), 4), round(gap.item(), 3))
