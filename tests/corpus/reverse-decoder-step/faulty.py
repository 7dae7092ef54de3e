import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
VOCAB, HID, SOS = 12, 32, 0


class EncoderRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, HID)
        self.gru = nn.GRU(HID, HID, batch_first=True)

    def forward(self, x):
        return self.gru(self.embedding(x))


class DecoderRNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(VOCAB, HID)
        self.gru = nn.GRU(HID, HID, batch_first=True)
        self.out = nn.Linear(HID, VOCAB)

    def forward(self, x, hidden):
        output, hidden = self.gru(F.relu(self.embedding(x)), hidden)
        return self.out(output), hidden


source = torch.randint(1, VOCAB, (300, 6))
target = source.flip(1)
encoder, decoder = EncoderRNN(), DecoderRNN()
encoder_optimizer = torch.optim.Adam(encoder.parameters(), lr=0.005)
decoder_optimizer = torch.optim.Adam(decoder.parameters(), lr=0.005)
criterion = nn.CrossEntropyLoss()

for epoch in range(5):
    running = 0.0
    for i in range(0, 300, 32):
        src, tgt = source[i:i + 32], target[i:i + 32]
        encoder_optimizer.zero_grad()
        decoder_optimizer.zero_grad()
        _, hidden = encoder(src)
        decoder_input = torch.cat([torch.full((len(src), 1), SOS), tgt[:, :-1]], dim=1)
        logits, _ = decoder(decoder_input, hidden)
        loss = criterion(logits.reshape(-1, VOCAB), tgt.reshape(-1))
        loss.backward()
        encoder_optimizer.step()
        running += loss.item() * len(src)
    print(f"epoch {epoch} loss {running / 300:.4f}")
