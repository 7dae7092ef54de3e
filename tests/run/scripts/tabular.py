"""pandas, scikit-learn and numpy data into a regression network; early stopping; a plot."""
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from sklearn.datasets import load_diabetes
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

bunch = load_diabetes()
frame = pd.DataFrame(bunch.data, columns=bunch.feature_names)
frame["target"] = bunch.target
features = frame.drop(columns=["target"]).values.astype(np.float32)
target = frame["target"].values.astype(np.float32).reshape(-1, 1)
x_train, x_test, y_train, y_test = train_test_split(features, target, test_size=0.2, random_state=0)
scaler = StandardScaler().fit(x_train)
x_train, x_test = scaler.transform(x_train), scaler.transform(x_test)
loader = DataLoader(TensorDataset(torch.from_numpy(x_train), torch.from_numpy(y_train)), batch_size=32, shuffle=True)

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
criterion = nn.MSELoss()
losses, best, patience = [], np.inf, 0
for epoch in range(200):
    model.train()
    for inputs, targets in loader:
        optimizer.zero_grad()
        loss = criterion(model(inputs), targets)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        prediction = model(torch.tensor(x_test, dtype=torch.float32))
        val = criterion(prediction, torch.tensor(y_test)).item()
    losses.append(val)
    if val < best:
        best, patience = val, 0
    else:
        patience += 1
        if patience > 10:
            break
print("MAE", mean_absolute_error(y_test, prediction.numpy()))
plt.plot(losses)
plt.xlabel("epoch")
plt.show()
