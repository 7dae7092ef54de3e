"""BERT on GLUE MRPC with a loop of one's own: pairs of sentences, dynamic padding, a schedule with warm-up, evaluation."""
import torch
from datasets import load_dataset
from torch.optim import AdamW
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification, AutoTokenizer, DataCollatorWithPadding, get_scheduler

checkpoint = "bert-base-uncased"
raw = load_dataset("glue", "mrpc")
tokenizer = AutoTokenizer.from_pretrained(checkpoint)


def tokenize(example):
    return tokenizer(example["sentence1"], example["sentence2"], truncation=True)


tokenized = raw.map(tokenize, batched=True, num_proc=2).remove_columns(["sentence1", "sentence2", "idx"]).rename_column("label", "labels")
tokenized.set_format("torch")
train_loader = DataLoader(tokenized["train"], shuffle=True, batch_size=8, collate_fn=DataCollatorWithPadding(tokenizer))
eval_loader = DataLoader(tokenized["validation"], batch_size=8, collate_fn=DataCollatorWithPadding(tokenizer))
model = AutoModelForSequenceClassification.from_pretrained(checkpoint, num_labels=2)
optimizer = AdamW(model.parameters(), lr=5e-5)
epochs = 3
steps = epochs * len(train_loader)
scheduler = get_scheduler("linear", optimizer=optimizer, num_warmup_steps=10, num_training_steps=steps)
device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
model.to(device)
for epoch in range(epochs):
    model.train()
    for batch in train_loader:
        batch = {k: v.to(device) for k, v in batch.items()}
        loss = model(**batch).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
model.eval()
correct = total = 0
for batch in eval_loader:
    batch = {k: v.to(device) for k, v in batch.items()}
    with torch.no_grad():
        logits = model(**batch).logits
    predictions = torch.argmax(logits, dim=-1)
    correct += (predictions == batch["labels"]).sum().item()
    total += len(predictions)
print(correct / total)
