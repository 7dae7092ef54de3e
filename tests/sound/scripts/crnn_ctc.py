"""OCR: CNN columns as time steps, permute to (T, B, C), bidirectional LSTM, CTC with concatenated targets, greedy decoding."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(0)
CHARS = 6
glyphs = torch.randn(CHARS + 1, 8, 6)


class Words(Dataset):
    def __init__(self, n):
        self.words = [torch.randint(1, CHARS + 1, (int(torch.randint(2, 5, (1,))),)) for _ in range(n)]

    def __len__(self):
        return len(self.words)

    def __getitem__(self, i):
        w = self.words[i]
        img = torch.zeros(1, 8, 48)
        for k, c in enumerate(w.tolist()):
            img[0, :, 12 * k + 2:12 * k + 8] = glyphs[c]
        return img + 0.1 * torch.randn_like(img), w


def collate(batch):
    images, words = zip(*batch)
    return torch.stack(images), torch.cat(words), torch.tensor([len(w) for w in words])


class CRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.cnn = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 24, 3, padding=1), nn.ReLU(), nn.MaxPool2d((2, 1)))
        self.rnn = nn.LSTM(24 * 2, 24, bidirectional=True)
        self.fc = nn.Linear(48, CHARS + 1)

    def forward(self, x):
        f = self.cnn(x)
        b, c, h, w = f.size()
        f = f.reshape(b, c * h, w).permute(2, 0, 1)
        out, _ = self.rnn(f)
        return self.fc(out)


def greedy(logits):
    best = logits.argmax(dim=2).t()
    texts = []
    for row in best:
        row = torch.unique_consecutive(row)
        texts.append(row[row != 0].tolist())
    return texts


train, test = DataLoader(Words(80), batch_size=16, shuffle=True, collate_fn=collate), DataLoader(Words(17), batch_size=16, collate_fn=collate)
model = CRNN()
ctc = nn.CTCLoss(blank=0, zero_infinity=True)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(3):
    model.train()
    for images, targets, lengths in train:
        logp = F.log_softmax(model(images), dim=2)
        sizes = torch.full((images.size(0),), logp.size(0), dtype=torch.long)
        loss = ctc(logp, targets, sizes, lengths)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    right = n = 0
    with torch.no_grad():
        for images, targets, lengths in test:
            for guess, want in zip(greedy(model(images)), targets.split(lengths.tolist())):
                right += guess == want.tolist()
                n += 1
    print(epoch, loss.item(), right / n)
