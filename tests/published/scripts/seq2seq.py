# cause: lines of pairs that are absent
import random
import re

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim

SOS_token, EOS_token, MAX_LENGTH = 0, 1, 12
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Lang:
    def __init__(self, name):
        self.name = name
        self.word2index = {}
        self.index2word = {0: "SOS", 1: "EOS"}
        self.n_words = 2

    def addSentence(self, sentence):
        for word in sentence.split(" "):
            if word not in self.word2index:
                self.word2index[word] = self.n_words
                self.index2word[self.n_words] = word
                self.n_words += 1


def normalizeString(s):
    s = re.sub(r"([.!?])", r" \1", s.lower().strip())
    return re.sub(r"[^a-zA-Z!?]+", r" ", s).strip()


lines = open("data/eng-fra.txt", encoding="utf-8").read().strip().split("\n")
pairs = [[normalizeString(s) for s in line.split("\t")[:2]] for line in lines]
pairs = [p for p in pairs if len(p[0].split(" ")) < MAX_LENGTH and len(p[1].split(" ")) < MAX_LENGTH]
input_lang, output_lang = Lang("eng"), Lang("fra")
for pair in pairs:
    input_lang.addSentence(pair[0])
    output_lang.addSentence(pair[1])


class EncoderRNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.embedding = nn.Embedding(input_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size)

    def forward(self, word, hidden):
        return self.gru(self.embedding(word).view(1, 1, -1), hidden)

    def initHidden(self):
        return torch.zeros(1, 1, self.hidden_size, device=device)


class DecoderRNN(nn.Module):
    def __init__(self, hidden_size, output_size):
        super().__init__()
        self.embedding = nn.Embedding(output_size, hidden_size)
        self.gru = nn.GRU(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, output_size)

    def forward(self, word, hidden):
        output = F.relu(self.embedding(word).view(1, 1, -1))
        output, hidden = self.gru(output, hidden)
        return F.log_softmax(self.out(output[0]), dim=1), hidden


def tensorFromSentence(lang, sentence):
    indexes = [lang.word2index[word] for word in sentence.split(" ")] + [EOS_token]
    return torch.tensor(indexes, dtype=torch.long, device=device).view(-1, 1)


encoder = EncoderRNN(input_lang.n_words, 16).to(device)
decoder = DecoderRNN(16, output_lang.n_words).to(device)
encoder_optimizer = optim.SGD(encoder.parameters(), lr=0.01)
decoder_optimizer = optim.SGD(decoder.parameters(), lr=0.01)
criterion = nn.NLLLoss()
for it in range(1, 1001):
    pair = random.choice(pairs)
    source, target = tensorFromSentence(input_lang, pair[0]), tensorFromSentence(output_lang, pair[1])
    encoder_hidden = encoder.initHidden()
    encoder_optimizer.zero_grad()
    decoder_optimizer.zero_grad()
    loss = 0
    for ei in range(source.size(0)):
        _, encoder_hidden = encoder(source[ei], encoder_hidden)
    decoder_input, decoder_hidden = torch.tensor([[SOS_token]], device=device), encoder_hidden
    for di in range(target.size(0)):
        decoder_output, decoder_hidden = decoder(decoder_input, decoder_hidden)
        loss += criterion(decoder_output, target[di])
        decoder_input = decoder_output.topk(1)[1].squeeze().detach()
        if random.random() < 0.5:
            decoder_input = target[di]
        elif decoder_input.item() == EOS_token:
            break
    loss.backward()
    encoder_optimizer.step()
    decoder_optimizer.step()
    if it % 250 == 0:
        print(it, loss.item() / target.size(0))
