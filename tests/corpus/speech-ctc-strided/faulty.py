import torch
import torch.nn as nn

ALPHABET = "abcdefgh"
BLANK = 0


class SpeechNet(nn.Module):
    def __init__(self, mels=13, hidden=32):
        super().__init__()
        self.conv = nn.Conv1d(mels, 24, 3, stride=2, padding=1)
        self.rnn = nn.GRU(24, hidden, batch_first=True)
        self.out = nn.Linear(hidden, len(ALPHABET) + 1)

    def forward(self, x):
        x = torch.relu(self.conv(x.transpose(1, 2))).transpose(1, 2)
        x, _ = self.rnn(x)
        return self.out(x).log_softmax(-1)


def utterances(n):
    feats, texts = [], []
    for _ in range(n):
        length = int(torch.randint(3, 7, (1,)))
        text = torch.randint(1, len(ALPHABET) + 1, (length,))
        frames = torch.zeros(length * 8, 13)
        for k, c in enumerate(text):
            frames[k * 8:(k + 1) * 8, c] = 1.0
        feats.append(frames + 0.1 * torch.randn_like(frames))
        texts.append(text)
    return feats, texts


def collate(feats, texts):
    lengths = torch.tensor([len(f) for f in feats])
    x = nn.utils.rnn.pad_sequence(feats, batch_first=True)
    y = torch.cat(texts)
    y_lengths = torch.tensor([len(t) for t in texts])
    return x, lengths, y, y_lengths


torch.manual_seed(0)
model = SpeechNet()
ctc = nn.CTCLoss(blank=BLANK, zero_infinity=True)
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
for epoch in range(5):
    x, lengths, y, y_lengths = collate(*utterances(12))
    log_probs = model(x).transpose(0, 1)
    loss = ctc(log_probs, y, lengths, y_lengths)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, f"{loss.item():.3f}")
