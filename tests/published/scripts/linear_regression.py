# cause: a figure
import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn as nn

num_epochs = 60
learning_rate = 0.001
x_train = np.linspace(1, 9, 15, dtype=np.float32).reshape(-1, 1)
y_train = 2 * x_train + np.random.randn(15, 1).astype(np.float32)

model = nn.Linear(1, 1)
criterion = nn.MSELoss()
optimizer = torch.optim.SGD(model.parameters(), lr=learning_rate)

history = []
for epoch in range(num_epochs):
    inputs = torch.from_numpy(x_train)
    targets = torch.from_numpy(y_train)
    outputs = model(inputs)
    loss = criterion(outputs, targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    history.append(loss.item())
    if (epoch + 1) % 5 == 0:
        print("Epoch [{}/{}], Loss: {:.4f}".format(epoch + 1, num_epochs, loss.item()))

predicted = model(torch.from_numpy(x_train)).detach().numpy()
plt.plot(x_train, y_train, "ro", label="Original data")
plt.plot(x_train, predicted, label="Fitted line")
plt.legend()
plt.show()
plt.plot(np.arange(num_epochs), history)
torch.save(model.state_dict(), "model.ckpt")
