# cause: a table that is absent
import numpy as np
import pandas as pd
import torch
import torch.nn as nn
from sklearn.preprocessing import MinMaxScaler

df = pd.read_csv("AMZN.csv")
df["Date"] = pd.to_datetime(df["Date"], errors="coerce")
series = df["Close"].values.astype(float).reshape(-1, 1)
scaler = MinMaxScaler(feature_range=(-1, 1))
series = scaler.fit_transform(series)
lookback = 7
X = np.stack([series[i : i + lookback] for i in range(len(series) - lookback)])
y = series[lookback:]
split = int(len(X) * 0.9)
X_train, X_test = torch.tensor(X[:split]).float(), torch.tensor(X[split:]).float()
y_train, y_test = torch.tensor(y[:split]).float(), torch.tensor(y[split:]).float()


class LSTM(nn.Module):
    def __init__(self, hidden=8):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.fc = nn.Linear(hidden, 1)

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.fc(out[:, -1, :])


model, loss_function = LSTM(), nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(X_train, y_train), batch_size=16, shuffle=True)
for epoch in range(10):
    model.train()
    for xb, yb in loader:
        loss = loss_function(model(xb), yb)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        print(epoch, loss_function(model(X_test), y_test).item())
