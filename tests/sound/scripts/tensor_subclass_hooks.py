"""A tensor subclass, forward hooks for features, gradient hooks, a perceptual loss on a frozen net, a sparse adjacency."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Tagged(torch.Tensor):
    @staticmethod
    def of(x, tag):
        t = x.as_subclass(Tagged)
        t.tag = tag
        return t


frozen = nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 8, 3, padding=1), nn.ReLU()).eval()
for p in frozen.parameters():
    p.requires_grad_(False)
taps = {}
for name in ("1", "3"):
    frozen.get_submodule(name).register_forward_hook(lambda m, i, o, name=name: taps.__setitem__(name, o))


def features(x):
    frozen(x)
    return [taps["1"], taps["3"]]


def gram(f):
    b, c, h, w = f.shape
    f = f.view(b, c, h * w)
    return f @ f.transpose(1, 2) / (c * h * w)


net = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.InstanceNorm2d(8, affine=True), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))
norms = []
net[0].weight.register_hook(lambda g: norms.append(g.norm().item()))
style = [gram(f).detach() for f in features(torch.randn(1, 1, 12, 12).cumsum(2))]
optimizer = torch.optim.Adam(net.parameters(), lr=5e-3)
for step in range(10):
    x = Tagged.of(torch.rand(6, 1, 12, 12), "photo")
    y = net(x)
    fy, fx = features(y), features(x)
    content = F.mse_loss(fy[1], fx[1].detach())
    look = sum(F.mse_loss(gram(f), s.expand(f.size(0), -1, -1)) for f, s in zip(fy, style))
    tv = (y[..., 1:] - y[..., :-1]).abs().mean() + (y[..., 1:, :] - y[..., :-1, :]).abs().mean()
    loss = content + 10 * look + 0.01 * tv
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(float(loss), len(norms), x.tag)

edges = torch.randint(0, 30, (2, 90))
adj = torch.sparse_coo_tensor(edges, torch.ones(90), (30, 30)).coalesce()
deg = torch.sparse.sum(adj, dim=1).to_dense().clamp(min=1).unsqueeze(1)
feat, goal = torch.randn(30, 5), torch.randn(30, 2)
w1, w2 = nn.Linear(5, 16), nn.Linear(16, 2)
opt = torch.optim.Adam([*w1.parameters(), *w2.parameters()], lr=1e-2)
train_mask = torch.rand(30) < 0.7
for epoch in range(20):
    h = torch.sparse.mm(adj, F.relu(w1(feat))) / deg
    out = torch.sparse.mm(adj, w2(h)) / deg
    loss = F.mse_loss(out[train_mask], goal[train_mask])
    opt.zero_grad()
    loss.backward()
    opt.step()
print(loss.item())
