# cause: none, short as an answer in a forum
import torch


class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        grad_x = grad_output.clone()
        grad_x[x < 0] = 0
        return grad_x


x, y = torch.randn(8, 6), torch.randn(8, 2)
w1, w2 = torch.randn(6, 5, requires_grad=True), torch.randn(5, 2, requires_grad=True)
optimizer = torch.optim.SGD([w1, w2], lr=1e-3)
for t in range(200):
    loss = (MyReLU.apply(x.mm(w1)).mm(w2) - y).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
