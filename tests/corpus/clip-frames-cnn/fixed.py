import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class FrameCNN(nn.Module):
    def __init__(self, out=20):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 6, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(6, 10, 3, stride=2, padding=1), nn.ReLU(),
            nn.Flatten(),
            nn.Linear(10 * 3 * 3, out),
        )

    def forward(self, x):
        return self.net(x)


class CNNLSTM(nn.Module):
    def __init__(self, classes=2):
        super().__init__()
        self.cnn = FrameCNN()
        self.lstm = nn.LSTM(20, 16, batch_first=True)
        self.fc = nn.Linear(16, classes)

    def forward(self, clip):
        b, t = clip.shape[:2]
        f = self.cnn(clip.flatten(0, 1)).view(b, t, -1)
        out, _ = self.lstm(f)
        return self.fc(out[:, -1])


torch.manual_seed(0)
label = torch.randint(0, 2, (36,))
clips = 0.1 * torch.randn(36, 8, 1, 12, 12)
for i in range(36):
    for t in range(8):
        clips[i, t, 0, :, t if label[i] else 11 - t] += 1
loader = DataLoader(TensorDataset(clips, label), batch_size=6)
model = CNNLSTM()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(2):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    print("epoch", epoch, "loss", f"{loss.item():.4f}")
