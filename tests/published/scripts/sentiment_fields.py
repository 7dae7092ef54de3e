# cause: torchtext, its older half
import random

import spacy
import torch
import torch.nn as nn
from torchtext.legacy import data, datasets

TEXT = data.Field(tokenize="spacy", tokenizer_language="en_core_web_sm", include_lengths=True)
LABEL = data.LabelField(dtype=torch.float)
train_data, test_data = datasets.IMDB.splits(TEXT, LABEL)
train_data, valid_data = train_data.split(random_state=random.seed(1234))
TEXT.build_vocab(train_data, max_size=25_000, vectors="glove.6B.50d", unk_init=torch.Tensor.normal_)
LABEL.build_vocab(train_data)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
train_iterator, valid_iterator, test_iterator = data.BucketIterator.splits(
    (train_data, valid_data, test_data), batch_size=64, sort_within_batch=True, device=device)


class RNN(nn.Module):
    def __init__(self, vocab_size, dim, hidden, pad_idx):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, dim, padding_idx=pad_idx)
        self.rnn = nn.LSTM(dim, hidden, bidirectional=True)
        self.fc = nn.Linear(hidden * 2, 1)

    def forward(self, text, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(self.embedding(text), lengths.to("cpu"))
        _, (hidden, _) = self.rnn(packed)
        return self.fc(torch.cat((hidden[-2], hidden[-1]), dim=1))


model = RNN(len(TEXT.vocab), 50, 8, TEXT.vocab.stoi[TEXT.pad_token]).to(device)
model.embedding.weight.data.copy_(TEXT.vocab.vectors)
model.embedding.weight.data[TEXT.vocab.stoi[TEXT.unk_token]] = torch.zeros(50)
optimizer = torch.optim.Adam(model.parameters())
criterion = nn.BCEWithLogitsLoss().to(device)
for epoch in range(5):
    model.train()
    for batch in train_iterator:
        optimizer.zero_grad()
        text, lengths = batch.text
        loss = criterion(model(text, lengths).squeeze(1), batch.label)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accs = []
        for batch in valid_iterator:
            text, lengths = batch.text
            rounded = torch.round(torch.sigmoid(model(text, lengths).squeeze(1)))
            accs.append((rounded == batch.label).float().mean().item())
    print(epoch, sum(accs) / len(accs))
nlp = spacy.load("en_core_web_sm")
indexed = [TEXT.vocab.stoi[token.text] for token in nlp.tokenizer("This film is terrible")]
print(torch.sigmoid(model(torch.LongTensor(indexed).unsqueeze(1), torch.LongTensor([len(indexed)]))).item())
