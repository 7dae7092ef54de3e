"""A policy over tokens: sampling by a loop, log-probs by gather, masked means after EOS, a frozen reference, group advantages, PPO clip."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
V, EOS, PAD, G, L = 12, 1, 0, 4, 8


class Policy(nn.Module):
    def __init__(self, d=24):
        super().__init__()
        self.emb, self.rnn, self.out = nn.Embedding(V, d, padding_idx=PAD), nn.GRU(d, d, batch_first=True), nn.Linear(d, V)

    def forward(self, ids):
        return self.out(self.rnn(self.emb(ids))[0])


@torch.no_grad()
def generate(policy, prompts):
    ids, done = prompts, torch.zeros(len(prompts), dtype=torch.bool)
    for _ in range(L):
        probs = policy(ids)[:, -1].softmax(dim=-1)
        probs[:, PAD] = 0
        nxt = torch.multinomial(probs, 1).squeeze(1)
        nxt = torch.where(done, PAD, nxt)
        ids = torch.cat([ids, nxt[:, None]], dim=1)
        done = done | (nxt == EOS)
        if done.all():
            break
    return ids


def token_logprobs(model, ids, start):
    logits = model(ids[:, :-1])
    logp = F.log_softmax(logits, dim=-1).gather(2, ids[:, 1:].unsqueeze(2)).squeeze(2)
    return logp[:, start - 1:]


def masked_mean(x, mask):
    return (x * mask).sum() / mask.sum().clamp(min=1)


policy = Policy()
reference = copy.deepcopy(policy).eval().requires_grad_(False)
optimizer = torch.optim.Adam(policy.parameters(), lr=5e-3)
for step in range(12):
    prompts = torch.randint(2, V, (6, 3)).repeat_interleave(G, dim=0)
    ids = generate(policy, prompts)
    answers = ids[:, 3:]
    mask = (answers != PAD).float()
    reward = ((answers == prompts[:, :1]) * mask).sum(dim=1) / mask.sum(dim=1)
    grouped = reward.view(-1, G)
    advantage = ((grouped - grouped.mean(1, keepdim=True)) / (grouped.std(1, keepdim=True) + 1e-4)).flatten()
    with torch.no_grad():
        old, ref = token_logprobs(policy, ids, 3), token_logprobs(reference, ids, 3)
    for _ in range(2):
        new = token_logprobs(policy, ids, 3)
        ratio = (new - old).exp()
        gain = torch.min(ratio * advantage[:, None], ratio.clamp(0.8, 1.2) * advantage[:, None])
        kl = (ref - new).exp() - (ref - new) - 1
        loss = -masked_mean(gain - 0.02 * kl, mask)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        optimizer.step()
    if step % 4 == 3:
        print(step + 1, reward.mean().item(), masked_mean(kl, mask).item())
