"""A BERT classifier built from its configuration, with masks; token level too."""
import torch
from torch.utils.data import DataLoader
from transformers import BertConfig, BertForSequenceClassification

torch.manual_seed(0)
model = BertForSequenceClassification(BertConfig(vocab_size=50, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
                                                 max_position_embeddings=24, num_labels=3))
rows = [torch.randint(5, 50, (n % 9 + 4,)) for n in range(24)]


def collate(batch):
    ids = torch.nn.utils.rnn.pad_sequence(batch, batch_first=True)
    return {"input_ids": ids, "attention_mask": (ids != 0).long(), "labels": torch.tensor([int(r.sum()) % 3 for r in batch])}


opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for epoch in range(2):
    model.train()
    for batch in DataLoader(rows, batch_size=6, collate_fn=collate, shuffle=True):
        out = model(**batch)
        out.loss.backward()
        opt.step()
        opt.zero_grad()
    model.eval()
    right = 0
    with torch.no_grad():
        for batch in DataLoader(rows, batch_size=6, collate_fn=collate):
            right += (model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits.argmax(-1) == batch["labels"]).sum().item()
print(right)
