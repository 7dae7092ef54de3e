import numpy as np
import torch
from torch import nn
from torch.utils import data


def synthetic_houses(n):
    rng = np.random.RandomState(0)
    area = rng.uniform(40, 200, size=n)
    rooms = rng.randint(1, 6, size=n)
    age = rng.uniform(0, 50, size=n)
    price = 2.0 * area + 15 * rooms - 0.8 * age + rng.normal(0, 4, size=n)
    features = np.column_stack([area, rooms, age])
    features = (features - features.mean(0)) / features.std(0)
    return features, (price - price.mean()) / price.std()


features, prices = synthetic_houses(200)
train_features = torch.tensor(features[:160])
train_labels = torch.tensor(prices[:160]).reshape(-1, 1)


def load_array(arrays, batch_size, is_train=True):
    dataset = data.TensorDataset(*arrays)
    return data.DataLoader(dataset, batch_size, shuffle=is_train)


def get_net():
    return nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Linear(16, 1))


torch.manual_seed(0)
net = get_net()
loss = nn.MSELoss()
trainer = torch.optim.SGD(net.parameters(), lr=0.05)
train_iter = load_array((train_features, train_labels), 20)
num_epochs = 4
for epoch in range(num_epochs):
    total = 0.0
    for X, y in train_iter:
        l = loss(net(X), y)
        trainer.zero_grad()
        l.backward()
        trainer.step()
        total += float(l)
    print(f"epoch {epoch + 1}, train mse {total / len(train_iter):.4f}")
