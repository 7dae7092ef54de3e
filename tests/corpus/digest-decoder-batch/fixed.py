import torch
import torch.nn as nn

V, D, T = 40, 32, 10


class Summariser(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(V, D)
        self.pos = nn.Parameter(0.02 * torch.randn(1, T, D))
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(D, 4, 64, dropout=0.0, batch_first=True), 1)
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(D, 4, 64, dropout=0.0, batch_first=True), 1)
        self.out = nn.Linear(D, V)

    def forward(self, src, tgt):
        memory = self.encoder(self.emb(src) + self.pos)
        mask = nn.Transformer.generate_square_subsequent_mask(tgt.size(1))
        h = self.decoder(self.emb(tgt) + self.pos, memory, tgt_mask=mask)
        return self.out(h)


torch.manual_seed(0)
model = Summariser()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for step in range(30):
    src = torch.randint(2, V, (16, T))
    tgt = torch.cat([torch.ones(16, 1, dtype=torch.long), src.flip(1)], dim=1)
    logits = model(src, tgt[:, :-1])
    loss = nn.functional.cross_entropy(logits.reshape(-1, V), tgt[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 10 == 9:
        print(step + 1, round(loss.item(), 4))
