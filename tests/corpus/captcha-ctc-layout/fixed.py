import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset, DataLoader

ALPHABET = "-0123456789"


class CaptchaData(Dataset):
    def __init__(self, n=48, digits=4):
        g = torch.Generator().manual_seed(2)
        self.codes = torch.randint(1, 11, (n, digits), generator=g)
        base = torch.rand(11, 16, 8, generator=g)
        self.images = torch.stack([torch.cat([base[c] for c in code], dim=1) for code in self.codes]).unsqueeze(1)

    def __len__(self):
        return len(self.codes)

    def __getitem__(self, i):
        return self.images[i], self.codes[i]


class CRNN(nn.Module):
    def __init__(self, n_class, hidden=32):
        super().__init__()
        self.cnn = nn.Sequential(
            nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d((2, 1)),
        )
        self.rnn = nn.LSTM(32 * 4, hidden, bidirectional=True, batch_first=True)
        self.fc = nn.Linear(hidden * 2, n_class)

    def forward(self, x):
        f = self.cnn(x)
        b, c, h, w = f.shape
        f = f.permute(0, 3, 1, 2).reshape(b, w, c * h)
        out, _ = self.rnn(f)
        return F.log_softmax(self.fc(out), dim=2).permute(1, 0, 2)


torch.manual_seed(0)
net = CRNN(len(ALPHABET))
criterion = nn.CTCLoss(blank=0)
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
loader = DataLoader(CaptchaData(), batch_size=12, shuffle=True)

for epoch in range(3):
    for images, codes in loader:
        preds = net(images)
        preds_size = torch.full((images.size(0),), 16, dtype=torch.long)
        length = torch.full((images.size(0),), codes.size(1), dtype=torch.long)
        cost = criterion(preds, codes, preds_size, length)
        optimizer.zero_grad()
        cost.backward()
        optimizer.step()
    print("epoch %d ctc %.4f" % (epoch, cost.item()))
