import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
np.random.seed(0)


class StockLSTM(nn.Module):
    def __init__(self, input_dim=1, hidden_dim=24, num_layers=1):
        super().__init__()
        self.lstm = nn.LSTM(input_dim, hidden_dim, num_layers, batch_first=True)
        self.linear = nn.Linear(hidden_dim, 1)

    def forward(self, x):
        out = self.lstm(x)
        out = self.linear(out)
        return out[:, -1]


def load_prices(n=220, look_back=20):
    price = np.cumsum(np.random.randn(n)) * 0.1 + np.sin(np.arange(n) / 8)
    price = (price - price.min()) / (price.max() - price.min())
    xs = np.stack([price[i:i + look_back] for i in range(n - look_back)])
    ys = price[look_back:]
    return torch.from_numpy(xs).float().unsqueeze(-1), torch.from_numpy(ys).float().unsqueeze(-1)


x, y = load_prices()
x_train, y_train, x_test, y_test = x[:160], y[:160], x[160:], y[160:]
model = StockLSTM()
criterion = nn.MSELoss()
optimiser = torch.optim.Adam(model.parameters(), lr=0.01)

for t in range(12):
    y_pred = model(x_train)
    loss = criterion(y_pred, y_train)
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    if t % 4 == 3:
        with torch.no_grad():
            test = criterion(model(x_test), y_test)
        print("Epoch", t, "MSE", round(loss.item(), 4), "test", round(test.item(), 4))
