import math

import torch
import torch.nn as nn

torch.manual_seed(0)
text = ("to be or not to be that is the question whether tis nobler in the mind to suffer " * 8)
chars = sorted(set(text))
ids = torch.tensor([chars.index(c) for c in text])
B, T = 8, 10


class CharLM(nn.Module):
    def __init__(self, n, h=32):
        super().__init__()
        self.emb, self.rnn, self.out = nn.Embedding(n, h), nn.LSTM(h, h, 2, dropout=0.1), nn.Linear(h, n)

    def forward(self, x, state=None):
        h, state = self.rnn(self.emb(x), state)
        return self.out(h), tuple(s.detach() for s in state)


data = ids[:ids.numel() // B * B].view(B, -1).t().contiguous()
model = CharLM(len(chars))
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(2):
    model.train()
    state, total, steps = None, 0.0, 0
    for i in range(0, data.size(0) - 1, T):
        n = min(T, data.size(0) - 1 - i)
        x, y = data[i:i + n], data[i + 1:i + 1 + n]
        logits, state = model(x, state)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        total, steps = total + loss.item(), steps + 1
    print(epoch, round(math.exp(total / steps), 3))
model.eval()
with torch.no_grad():
    x, state, made = ids[:1].view(1, 1), None, []
    for _ in range(20):
        logits, state = model(x, state)
        x = torch.multinomial(logits[-1].softmax(-1), 1).t()
        made.append(chars[x.item()])
print("".join(made))
