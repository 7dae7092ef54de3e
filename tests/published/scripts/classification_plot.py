# cause: a figure
import matplotlib.pyplot as plt
import torch
import torch.nn.functional as F

torch.set_default_tensor_type("torch.FloatTensor")
n_data = torch.ones(30, 2)
x0, y0 = torch.normal(2 * n_data, 1), torch.zeros(30)
x1, y1 = torch.normal(-2 * n_data, 1), torch.ones(30)
x = torch.cat((x0, x1), 0).type(torch.FloatTensor)
y = torch.cat((y0, y1)).type(torch.LongTensor)


class Net(torch.nn.Module):
    def __init__(self, n_feature, n_hidden, n_output):
        super(Net, self).__init__()
        self.hidden = torch.nn.Linear(n_feature, n_hidden)
        self.out = torch.nn.Linear(n_hidden, n_output)

    def forward(self, x):
        return self.out(F.relu(self.hidden(x)))


net = Net(n_feature=2, n_hidden=10, n_output=2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.02)
loss_func = torch.nn.CrossEntropyLoss()
plt.ion()
for t in range(100):
    out = net(x)
    loss = loss_func(out, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if t % 2 == 0:
        plt.cla()
        prediction = torch.max(out, 1)[1]
        pred_y, target_y = prediction.data.numpy(), y.data.numpy()
        plt.scatter(x.data.numpy()[:, 0], x.data.numpy()[:, 1], c=pred_y, s=100, lw=0, cmap="RdYlGn")
        accuracy = float((pred_y == target_y).astype(int).sum()) / float(target_y.size)
        plt.text(1.5, -4, "Accuracy=%.2f" % accuracy, fontdict={"size": 20, "color": "red"})
        plt.pause(0.1)
plt.ioff()
plt.show()
