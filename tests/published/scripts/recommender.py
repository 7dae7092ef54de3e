# cause: a table that is absent
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from sklearn.model_selection import train_test_split

ratings = pd.read_csv("ml-latest-small/ratings.csv")
user_ids = {u: i for i, u in enumerate(ratings["userId"].unique())}
item_ids = {m: i for i, m in enumerate(ratings["movieId"].unique())}
ratings["user"] = ratings["userId"].map(user_ids)
ratings["item"] = ratings["movieId"].map(item_ids)
train, test = train_test_split(ratings, test_size=0.2, random_state=0)


class Factors(nn.Module):
    def __init__(self, users, items, dim=4):
        super().__init__()
        self.users, self.items = nn.Embedding(users, dim), nn.Embedding(items, dim)

    def forward(self, user, item):
        return (self.users(user) * self.items(item)).sum(1)


model = Factors(len(user_ids), len(item_ids))
optimizer = torch.optim.Adam(model.parameters(), weight_decay=1e-5)
for epoch in range(5):
    user = torch.from_numpy(train["user"].values)
    item = torch.from_numpy(train["item"].values)
    score = torch.from_numpy(train["rating"].values.astype(np.float32))
    loss = nn.functional.mse_loss(model(user, item), score)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(epoch, loss.item())
