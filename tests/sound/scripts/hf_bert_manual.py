"""A tiny BERT classifier with labels, dynamic padding by a collate function, a linear schedule, and a masked-LM step."""
import torch
from torch.optim import AdamW
from torch.utils.data import DataLoader
from transformers import BertConfig, BertForMaskedLM, BertForSequenceClassification, get_linear_schedule_with_warmup

torch.manual_seed(0)
PAD, CLS, SEP, MASK, V = 0, 1, 2, 3, 60
config = BertConfig(vocab_size=V, hidden_size=32, num_hidden_layers=2, num_attention_heads=2, intermediate_size=64, max_position_embeddings=32, num_labels=2)


def example():
    ids = torch.randint(4, V, (int(torch.randint(4, 14, (1,))),)).tolist()
    return {"input_ids": [CLS, *ids, SEP], "labels": int(sum(i > 30 for i in ids) * 2 > len(ids))}


def collate(rows):
    longest = max(len(r["input_ids"]) for r in rows)
    ids = torch.tensor([r["input_ids"] + [PAD] * (longest - len(r["input_ids"])) for r in rows])
    return {"input_ids": ids, "attention_mask": (ids != PAD).long(), "labels": torch.tensor([r["labels"] for r in rows])}


rows = [example() for _ in range(65)]
loader = DataLoader(rows, batch_size=16, shuffle=True, collate_fn=collate)
model = BertForSequenceClassification(config)
optimizer = AdamW(model.parameters(), lr=5e-4)
schedule = get_linear_schedule_with_warmup(optimizer, 2, 2 * len(loader))
for epoch in range(2):
    model.train()
    for batch in loader:
        out = model(**batch)
        out.loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
    model.eval()
    hits = 0
    for batch in loader:
        with torch.no_grad():
            logits = model(input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]).logits
        hits += (logits.argmax(dim=-1) == batch["labels"]).sum().item()
    print(epoch, out.loss.item(), hits / len(rows))

mlm = BertForMaskedLM(config)
optimizer = AdamW(mlm.parameters(), lr=5e-4)
mlm.train()
for batch in loader:
    ids, keep = batch["input_ids"], batch["attention_mask"].bool()
    chosen = (torch.rand(ids.shape) < 0.15) & keep & (ids > MASK)
    chosen[:, 1] = True
    labels = ids.masked_fill(~chosen, -100)
    loss = mlm(input_ids=ids.masked_fill(chosen, MASK), attention_mask=batch["attention_mask"], labels=labels).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("mlm", loss.item())
