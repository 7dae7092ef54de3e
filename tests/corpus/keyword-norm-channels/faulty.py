import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class ConvSubsampler(nn.Module):
    def __init__(self, n_mels, channels):
        super().__init__()
        self.conv = nn.Conv1d(n_mels, channels, 3, stride=2, padding=1)
        self.norm = nn.LayerNorm(channels)
        self.act = nn.ReLU()

    def forward(self, x):
        x = self.conv(x)
        x = self.norm(x)
        return self.act(x)


class KeywordSpotter(nn.Module):
    def __init__(self, n_mels=20, channels=16, keywords=4):
        super().__init__()
        self.sub1 = ConvSubsampler(n_mels, channels)
        self.sub2 = ConvSubsampler(channels, channels)
        self.classifier = nn.Linear(channels, keywords)

    def forward(self, mel):
        h = self.sub2(self.sub1(mel))
        return self.classifier(h.mean(dim=2))


torch.manual_seed(0)
keyword = torch.randint(0, 4, (64,))
mel = torch.randn(64, 20, 50)
for i, k in enumerate(keyword.tolist()):
    mel[i, 5 * k:5 * k + 5] += 0.8
loader = DataLoader(TensorDataset(mel, keyword), batch_size=8)
model = KeywordSpotter()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for epoch in range(2):
    correct = 0
    for x, y in loader:
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        correct += (logits.argmax(dim=-1) == y).sum().item()
    print("epoch", epoch, "acc", correct / 64)
