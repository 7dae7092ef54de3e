"""A next-token LSTM over one-hot words, as its author first wrote it."""

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim

np.random.seed(42)


def generate_dataset(num_sequences=100):
    """Sequences such as a a a b b b EOS."""
    samples = []
    for _ in range(num_sequences):
        num_tokens = np.random.randint(1, 10)
        samples.append(["a"] * num_tokens + ["b"] * num_tokens + ["EOS"])
    return samples


sequences = generate_dataset()
words = sorted({word for sequence in sequences for word in sequence})
words.append("UNK")
word_to_idx = {word: index for index, word in enumerate(words)}
idx_to_word = dict(enumerate(words))
vocab_size = len(words)

training_set, validation_set, test_set = sequences[:80], sequences[80:90], sequences[90:]


def inputs_and_targets(sequence):
    return sequence[:-1], sequence[1:]


def one_hot_encode_sequence(sequence):
    """The words of one sequence as an array of shape (batch, seq, vocab), with a batch of one."""
    encoding = np.zeros((1, len(sequence), vocab_size), dtype=np.float32)
    for position, word in enumerate(sequence):
        encoding[0, position, word_to_idx[word]] = 1.0
    return encoding


class MyRecurrentNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(input_size=vocab_size, hidden_size=50, num_layers=1)
        self.l_out = nn.Linear(in_features=50, out_features=vocab_size, bias=False)

    def forward(self, x):
        x, (h, c) = self.lstm(x)
        x = x.view(-1, 50)
        return self.l_out(x)


net = MyRecurrentNet()
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

num_epochs = 50
training_loss, validation_loss = [], []
for epoch in range(num_epochs):
    epoch_training_loss = 0.0
    epoch_validation_loss = 0.0

    net.eval()
    for sequence in validation_set:
        inputs, targets = inputs_and_targets(sequence)
        inputs_one_hot = torch.from_numpy(one_hot_encode_sequence(inputs))
        inputs_one_hot = inputs_one_hot.permute(0, 2, 1)
        targets_idx = torch.LongTensor([word_to_idx[word] for word in targets])

        outputs = net(inputs_one_hot)
        loss = criterion(outputs, targets_idx)
        epoch_validation_loss += loss.item()

    net.train()
    for sequence in training_set:
        inputs, targets = inputs_and_targets(sequence)
        inputs_one_hot = torch.from_numpy(one_hot_encode_sequence(inputs))
        inputs_one_hot = inputs_one_hot.permute(0, 2, 1)
        targets_idx = torch.LongTensor([word_to_idx[word] for word in targets])

        outputs = net(inputs_one_hot)
        loss = criterion(outputs, targets_idx)

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        epoch_training_loss += loss.item()

    training_loss.append(epoch_training_loss / len(training_set))
    validation_loss.append(epoch_validation_loss / len(validation_set))
    if epoch % 10 == 0:
        print(f"epoch {epoch}: training loss {training_loss[-1]:.4f}, validation loss {validation_loss[-1]:.4f}")

inputs, targets = inputs_and_targets(test_set[0])
inputs_one_hot = torch.from_numpy(one_hot_encode_sequence(inputs)).permute(0, 2, 1)
outputs = net(inputs_one_hot).detach().numpy()
print("input:    ", inputs)
print("target:   ", targets)
print("predicted:", [idx_to_word[int(index)] for index in outputs.argmax(axis=1)])
