# cause: torchtext, its last half
import torch
from torch import nn
from torch.utils.data import DataLoader
from torchtext.data.functional import to_map_style_dataset
from torchtext.data.utils import get_tokenizer
from torchtext.datasets import AG_NEWS
from torchtext.vocab import build_vocab_from_iterator

tokenizer = get_tokenizer("basic_english")


def yield_tokens(rows):
    for _, text in rows:
        yield tokenizer(text)


vocab = build_vocab_from_iterator(yield_tokens(AG_NEWS(split="train")), specials=["<unk>"])
vocab.set_default_index(vocab["<unk>"])


def collate_batch(batch):
    labels, texts, offsets = [], [], [0]
    for label, text in batch:
        labels.append(int(label) - 1)
        texts.append(torch.tensor(vocab(tokenizer(text)), dtype=torch.int64))
        offsets.append(texts[-1].size(0))
    return torch.tensor(labels), torch.cat(texts), torch.tensor(offsets[:-1]).cumsum(dim=0)


train_iter, test_iter = AG_NEWS()
num_class = len({label for label, _ in AG_NEWS(split="train")})


class Bag(nn.Module):
    def __init__(self, vocab_size, dim, classes):
        super().__init__()
        self.embedding = nn.EmbeddingBag(vocab_size, dim, sparse=False)
        self.fc = nn.Linear(dim, classes)

    def forward(self, text, offsets):
        return self.fc(self.embedding(text, offsets))


model = Bag(len(vocab), 16, num_class)
optimizer = torch.optim.SGD(model.parameters(), lr=5)
loader = DataLoader(to_map_style_dataset(train_iter), batch_size=8, shuffle=True, collate_fn=collate_batch)
for epoch in range(3):
    for label, text, offsets in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(text, offsets), label)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimizer.step()
