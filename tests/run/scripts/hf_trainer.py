"""Fine-tunes DistilBERT on IMDB with the Hugging Face Trainer, as its documentation does."""
import numpy as np
from datasets import load_dataset
from transformers import AutoModelForSequenceClassification, AutoTokenizer, DataCollatorWithPadding, Trainer, TrainingArguments

dataset = load_dataset("imdb")
tokenizer = AutoTokenizer.from_pretrained("distilbert-base-uncased")


def preprocess(examples):
    return tokenizer(examples["text"], truncation=True)


tokenized = dataset.map(preprocess, batched=True)
collator = DataCollatorWithPadding(tokenizer=tokenizer)
names = dataset["train"].features["label"].names
model = AutoModelForSequenceClassification.from_pretrained(
    "distilbert-base-uncased", num_labels=2, id2label=dict(enumerate(names)), label2id={name: i for i, name in enumerate(names)}
)


def compute_metrics(eval_pred):
    predictions, labels = eval_pred
    predictions = np.argmax(predictions, axis=1)
    return {"accuracy": float((predictions == labels).mean())}


arguments = TrainingArguments(
    output_dir="my_model", learning_rate=2e-5, per_device_train_batch_size=16, per_device_eval_batch_size=16, num_train_epochs=2,
    weight_decay=0.01, eval_strategy="epoch", save_strategy="epoch", load_best_model_at_end=True, fp16=True, logging_steps=10,
)
trainer = Trainer(
    model=model, args=arguments, train_dataset=tokenized["train"], eval_dataset=tokenized["test"], processing_class=tokenizer,
    data_collator=collator, compute_metrics=compute_metrics,
)
trainer.train()
print(trainer.evaluate())
outputs = trainer.predict(tokenized["test"])
assert outputs.predictions.shape == (len(tokenized["test"]), 2)
trainer.save_model("my_model/best")
tokenizer.save_pretrained("my_model/best")
