# cause: a model and rows of the hub
import torch
from datasets import load_dataset
from torch.utils.data import DataLoader
from transformers import AutoModelForSequenceClassification, AutoTokenizer, get_scheduler

raw = load_dataset("glue", "mrpc")
tokenizer = AutoTokenizer.from_pretrained("prajjwal1/bert-tiny")


def tokenize(example):
    return tokenizer(example["sentence1"], example["sentence2"], truncation=True, padding="max_length", max_length=24)


tokenized = raw.map(tokenize, batched=True).remove_columns(["sentence1", "sentence2", "idx"]).rename_column("label", "labels")
tokenized.set_format("torch")
train_dataloader = DataLoader(tokenized["train"], shuffle=True, batch_size=8)
model = AutoModelForSequenceClassification.from_pretrained("prajjwal1/bert-tiny", num_labels=2)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-5)
num_epochs = 3
steps = num_epochs * len(train_dataloader)
scheduler = get_scheduler("linear", optimizer=optimizer, num_warmup_steps=0, num_training_steps=steps)
device = torch.device("cuda") if torch.cuda.is_available() else torch.device("cpu")
model.to(device)
model.train()
for epoch in range(num_epochs):
    for batch in train_dataloader:
        batch = {k: v.to(device) for k, v in batch.items()}
        loss = model(**batch).loss
        loss.backward()
        optimizer.step()
        scheduler.step()
        optimizer.zero_grad()
