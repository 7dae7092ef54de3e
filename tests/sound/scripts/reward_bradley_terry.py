import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader
from transformers import GPT2Config, GPT2Model

PAD = 0


def pairs(n=48):
    g = torch.Generator().manual_seed(0)
    rows = []
    for _ in range(n):
        prompt = torch.randint(1, 90, (4,), generator=g)
        good = torch.randint(50, 90, (int(torch.randint(3, 10, (1,), generator=g)),), generator=g)
        bad = torch.randint(1, 60, (int(torch.randint(3, 10, (1,), generator=g)),), generator=g)
        rows.append((torch.cat([prompt, good]), torch.cat([prompt, bad])))
    return rows


def pad(seqs):
    ids = nn.utils.rnn.pad_sequence(seqs, batch_first=True, padding_value=PAD)
    lengths = torch.tensor([len(s) for s in seqs])
    return ids, (torch.arange(ids.size(1)) < lengths[:, None]).long()


def collate(rows):
    return *pad([r[0] for r in rows]), *pad([r[1] for r in rows])


class RewardModel(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.transformer = GPT2Model(config)
        self.v_head = nn.Linear(config.n_embd, 1, bias=False)

    def forward(self, ids, mask):
        h = self.transformer(input_ids=ids, attention_mask=mask).last_hidden_state
        last = mask.sum(dim=1) - 1
        h = h[torch.arange(ids.size(0)), last]
        return self.v_head(h).squeeze(-1)


torch.manual_seed(0)
model = RewardModel(GPT2Config(vocab_size=100, n_positions=32, n_embd=32, n_layer=2, n_head=2))
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4)
loader = DataLoader(pairs(), batch_size=8, shuffle=True, collate_fn=collate)
for epoch in range(2):
    right = 0
    for ids_c, mask_c, ids_r, mask_r in loader:
        ids, mask = (torch.cat([F.pad(a, (0, max(a.size(1), b.size(1)) - a.size(1))), F.pad(b, (0, max(a.size(1), b.size(1)) - b.size(1)))]) for a, b in ((ids_c, ids_r), (mask_c, mask_r)))
        chosen, rejected = model(ids, mask).chunk(2)
        loss = -F.logsigmoid(chosen - rejected).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        right += (chosen > rejected).sum().item()
    print(epoch, round(loss.item(), 4), right / 48)
