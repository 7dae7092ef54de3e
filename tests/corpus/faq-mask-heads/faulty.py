import torch
import torch.nn as nn
from torch.utils.data import DataLoader
from torch.nn.utils.rnn import pad_sequence

PAD_IDX = 0


class MultiHeadAttentionLayer(nn.Module):
    def __init__(self, hid_dim, n_heads):
        super().__init__()
        assert hid_dim % n_heads == 0
        self.n_heads = n_heads
        self.head_dim = hid_dim // n_heads
        self.fc_q = nn.Linear(hid_dim, hid_dim)
        self.fc_k = nn.Linear(hid_dim, hid_dim)
        self.fc_v = nn.Linear(hid_dim, hid_dim)
        self.fc_o = nn.Linear(hid_dim, hid_dim)

    def forward(self, query, key, value, mask=None):
        batch_size = query.shape[0]
        Q = self.fc_q(query).view(batch_size, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)
        K = self.fc_k(key).view(batch_size, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)
        V = self.fc_v(value).view(batch_size, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)
        energy = torch.matmul(Q, K.permute(0, 1, 3, 2)) / self.head_dim ** 0.5
        if mask is not None:
            energy = energy.masked_fill(mask == 0, -1e10)
        attention = torch.softmax(energy, dim=-1)
        x = torch.matmul(attention, V).permute(0, 2, 1, 3).contiguous()
        return self.fc_o(x.view(batch_size, -1, self.n_heads * self.head_dim))


class Encoder(nn.Module):
    def __init__(self, vocab, hid_dim, n_heads, n_classes):
        super().__init__()
        self.tok_embedding = nn.Embedding(vocab, hid_dim)
        self.pos_embedding = nn.Embedding(50, hid_dim)
        self.attention = MultiHeadAttentionLayer(hid_dim, n_heads)
        self.norm = nn.LayerNorm(hid_dim)
        self.fc = nn.Linear(hid_dim, n_classes)

    def make_src_mask(self, src):
        return (src != PAD_IDX).unsqueeze(1)

    def forward(self, src):
        mask = self.make_src_mask(src)
        pos = torch.arange(src.shape[1]).unsqueeze(0)
        x = self.tok_embedding(src) + self.pos_embedding(pos)
        x = self.norm(x + self.attention(x, x, x, mask))
        return self.fc(x[:, 0])


def make_questions(n=60):
    g = torch.Generator().manual_seed(8)
    rows = []
    for _ in range(n):
        length = int(torch.randint(4, 13, (1,), generator=g))
        ids = torch.randint(1, 90, (length,), generator=g)
        rows.append((ids, int(ids[0] > 45)))
    return rows


def collate(batch):
    ids, labels = zip(*batch)
    return pad_sequence(ids, batch_first=True, padding_value=PAD_IDX), torch.tensor(labels)


torch.manual_seed(0)
model = Encoder(90, 32, 4, 2)
iterator = DataLoader(make_questions(), batch_size=10, collate_fn=collate)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
criterion = nn.CrossEntropyLoss()
for epoch in range(3):
    epoch_loss = 0
    for src, label in iterator:
        optimizer.zero_grad()
        loss = criterion(model(src), label)
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item()
    print(f"Epoch: {epoch + 1:02} | Loss: {epoch_loss / len(iterator):.3f}")
