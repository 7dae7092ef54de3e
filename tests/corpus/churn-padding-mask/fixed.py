import torch
import torch.nn as nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


class EventEncoder(nn.Module):
    def __init__(self, n_events, d_model=24, nhead=3, num_layers=1):
        super().__init__()
        self.embedding = nn.Embedding(n_events, d_model, padding_idx=0)
        encoder_layer = nn.TransformerEncoderLayer(d_model, nhead, dim_feedforward=48, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(encoder_layer, num_layers, enable_nested_tensor=False)
        self.out = nn.Linear(d_model, 1)

    def forward(self, events):
        pad_mask = events == 0
        h = self.encoder(self.embedding(events), src_key_padding_mask=pad_mask)
        h = h.masked_fill(pad_mask.unsqueeze(-1), 0.0).sum(dim=1) / (~pad_mask).sum(dim=1, keepdim=True)
        return self.out(h).squeeze(-1)


def histories(n=50):
    g = torch.Generator().manual_seed(6)
    result = []
    for _ in range(n):
        length = int(torch.randint(5, 14, (1,), generator=g))
        events = torch.randint(1, 40, (length,), generator=g)
        result.append((events, (events > 30).float().mean().gt(0.2).float()))
    return result


def collate(samples):
    events, churn = zip(*samples)
    return pad_sequence(events, batch_first=True), torch.stack(churn)


torch.manual_seed(0)
loader = DataLoader(histories(), batch_size=10, collate_fn=collate)
model = EventEncoder(40)
criterion = nn.BCEWithLogitsLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(3):
    losses = []
    for events, churn in loader:
        loss = criterion(model(events), churn)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print("epoch", epoch, round(sum(losses) / len(losses), 4))
