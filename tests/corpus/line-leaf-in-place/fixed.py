import torch

torch.manual_seed(0)

n, d = 128, 4
true_w = torch.tensor([[1.5], [-2.0], [0.7], [3.0]])
X = torch.randn(n, d)
y = X @ true_w + 0.3 + 0.05 * torch.randn(n, 1)

w = torch.zeros(d, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.1


def model(X):
    return X @ w + b


def batches(size=32):
    perm = torch.randperm(n)
    for i in range(0, n, size):
        idx = perm[i:i + size]
        yield X[idx], y[idx]


for epoch in range(5):
    for xb, yb in batches():
        loss = ((model(xb) - yb) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            w -= lr * w.grad
            b -= lr * b.grad
        w.grad.zero_()
        b.grad.zero_()
    print(f"epoch {epoch}: loss {loss.item():.4f}")
