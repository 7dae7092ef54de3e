import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
CHARS, BLANK = 9, 0


class OCR(nn.Module):
    def __init__(self):
        super().__init__()
        self.cnn = nn.Sequential(nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(12, 24, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d((1, None)))
        self.rnn = nn.LSTM(24, 24, bidirectional=True)
        self.fc = nn.Linear(48, CHARS)

    def forward(self, x):
        f = self.cnn(x).squeeze(2).permute(2, 0, 1)
        out, _ = self.rnn(f)
        return self.fc(out).log_softmax(2)


def beam_search(log_probs, width=3):
    beams = [(((), BLANK), 0.0)]  # what was read, and the label of the last step: a blank parts two equal labels
    for t in range(log_probs.size(0)):
        cand = {}
        for (seq, last), score in beams:
            top = log_probs[t].topk(width)
            for lp, c in zip(top.values.tolist(), top.indices.tolist()):
                new = seq if c in (BLANK, last) else seq + (c,), c
                cand[new] = max(cand.get(new, -1e9), score + lp)
        beams = sorted(cand.items(), key=lambda kv: -kv[1])[:width]
    return list(beams[0][0][0])


glyphs = torch.rand(CHARS, 10, 8)


def batch(n=12):
    lengths = torch.randint(2, 5, (n,))
    labels = [torch.randint(1, CHARS, (int(k),)) for k in lengths]
    x = torch.zeros(n, 1, 10, 40)
    for i, lab in enumerate(labels):
        strip = torch.cat([glyphs[c] for c in lab], dim=1)
        x[i, 0, :, :strip.size(1)] = strip
    return x, torch.cat(labels), lengths


model = OCR()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(20):
    x, targets, lengths = batch()
    lp = model(x)
    loss = F.ctc_loss(lp, targets, torch.full((x.size(0),), lp.size(0)), lengths, blank=BLANK, zero_infinity=True)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 9:
        model.eval()
        with torch.no_grad():
            guess = beam_search(model(x[:1])[:, 0])
        model.train()
        print(step + 1, round(loss.item(), 4), guess)
