# cause: a download
import os
import zipfile
from pathlib import Path

import pandas as pd
import requests
import torch
import torch.nn as nn

url, zip_path, folder = "https://example.org/static/228/collection.zip", "collection.zip", "collection"
new_path = Path(folder) / "Collection.tsv"
if not new_path.exists():
    response = requests.get(url, stream=True, timeout=60)
    response.raise_for_status()
    with open(zip_path, "wb") as out_file:
        for chunk in response.iter_content(chunk_size=8192):
            if chunk:
                out_file.write(chunk)
    with zipfile.ZipFile(zip_path, "r") as zip_ref:
        zip_ref.extractall(folder)
    os.rename(Path(folder) / "Collection", new_path)
df = pd.read_csv(new_path, sep="\t", header=None, names=["Label", "Text"])
n_spam = df[df["Label"] == "spam"].shape[0]
ham = df[df["Label"] == "ham"].sample(n_spam, random_state=123)
df = pd.concat([ham, df[df["Label"] == "spam"]]).sample(frac=1, random_state=123).reset_index(drop=True)
df["Label"] = df["Label"].map({"ham": 0, "spam": 1})
df.to_csv("train.csv", index=None)
train = pd.read_csv("train.csv")
vocab = {w: i + 1 for i, w in enumerate(sorted({w for text in train["Text"] for w in text.split()}))}
longest = max(len(text.split()) for text in train["Text"])
ids = torch.zeros(len(train), longest, dtype=torch.long)
for row, text in enumerate(train["Text"]):
    for at, word in enumerate(text.split()):
        ids[row, at] = vocab[word]
labels = torch.tensor(train["Label"].values)
model = nn.Sequential(nn.Embedding(len(vocab) + 1, 6), nn.Flatten(), nn.Linear(6 * longest, 2))
optimizer = torch.optim.AdamW(model.parameters())
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(ids, labels), batch_size=8, shuffle=True)
for epoch in range(3):
    for x, y in loader:
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
