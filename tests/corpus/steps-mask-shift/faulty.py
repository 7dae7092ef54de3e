import torch
import torch.nn as nn
import torch.nn.functional as F

PAD, VOCAB = 0, 50


class GRULM(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, dim)
        self.rnn = nn.GRU(dim, dim, num_layers=2, batch_first=True, dropout=0.1)
        self.head = nn.Linear(dim, VOCAB, bias=False)
        self.head.weight = self.tok.weight

    def forward(self, ids):
        return self.head(self.rnn(self.tok(ids))[0])


def batch(n=16, longest=20):
    lengths = torch.randint(6, longest + 1, (n,))
    start = torch.randint(1, VOCAB, (n, 1))
    ids = (start + 3 * torch.arange(longest)) % (VOCAB - 1) + 1
    mask = (torch.arange(longest)[None, :] < lengths[:, None]).long()
    return ids * mask, mask


def lm_loss(model, ids, mask):
    logits = model(ids)[:, :-1]
    labels = ids[:, 1:]
    nll = F.cross_entropy(logits.transpose(1, 2), labels, reduction="none")
    weights = mask[:, :-1].float()
    return (nll * weights).sum() / weights.sum()


def main():
    torch.manual_seed(0)
    model = GRULM()
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for step in range(1, 61):
        model.train()
        ids, mask = batch()
        loss = lm_loss(model, ids, mask)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            model.eval()
            with torch.no_grad():
                ids, mask = batch(32)
                ppl = lm_loss(model, ids, mask).exp()
            print(step, "loss", round(loss.item(), 4), "ppl", round(ppl.item(), 3))


if __name__ == "__main__":
    main()
