import torch
from torch.utils.data import DataLoader, Dataset
from transformers import DistilBertConfig, DistilBertForSequenceClassification

torch.manual_seed(0)
NUM_STARS = 3


class Reviews(Dataset):
    def __init__(self, n=24, length=12, vocab=120):
        g = torch.Generator().manual_seed(4)
        self.input_ids = torch.randint(5, vocab, (n, length), generator=g)
        self.stars = torch.arange(n) % 5 + 1

    def __len__(self):
        return len(self.input_ids)

    def __getitem__(self, i):
        ids = self.input_ids[i]
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids), "labels": self.stars[i] - 1}


def main():
    config = DistilBertConfig(vocab_size=120, dim=32, hidden_dim=64, n_layers=2, n_heads=4, max_position_embeddings=32,
                              num_labels=NUM_STARS, dropout=0.0, attention_dropout=0.0, seq_classif_dropout=0.0)
    model = DistilBertForSequenceClassification(config)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    loader = DataLoader(Reviews(), batch_size=8)
    model.train()
    for epoch in range(2):
        for batch in loader:
            outputs = model(**batch)
            loss = outputs.loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print("epoch", epoch, "loss", round(loss.item(), 3))


if __name__ == "__main__":
    main()
