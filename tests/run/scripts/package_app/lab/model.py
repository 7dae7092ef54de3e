from torch import nn


class WaveNet(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.features = nn.Sequential(nn.Conv1d(1, hidden, 5, padding=2), nn.BatchNorm1d(hidden), nn.ReLU(), nn.MaxPool1d(2), nn.Conv1d(hidden, hidden, 3, padding=1), nn.ReLU())
        self.head = nn.Linear(hidden, 2)

    def forward(self, x):
        return self.head(self.features(x).mean(dim=-1))
