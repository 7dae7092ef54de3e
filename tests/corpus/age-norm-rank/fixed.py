import torch
import torch.nn as nn
import torch.optim as optim


def conv_bn(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, stride=2, padding=1),
        nn.BatchNorm2d(cout),
        nn.LeakyReLU(0.1),
    )


def fc_bn(nin, nout):
    return nn.Sequential(
        nn.Linear(nin, nout),
        nn.BatchNorm1d(nout),
        nn.LeakyReLU(0.1),
    )


class AgeNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(conv_bn(1, 8), conv_bn(8, 16), conv_bn(16, 16))
        self.neck = fc_bn(16 * 4 * 4, 32)
        self.age = nn.Linear(32, 1)

    def forward(self, face):
        h = self.trunk(face)
        h = h.view(h.size(0), -1)
        h = self.neck(h)
        return self.age(h).squeeze(1)


torch.manual_seed(3)
faces = torch.rand(60, 1, 32, 32)
ages = faces.mean(dim=(1, 2, 3)) * 100
net = AgeNet()
opt = optim.Adam(net.parameters(), lr=0.01)
mse = nn.MSELoss()
for it in range(6):
    idx = torch.randperm(60)[:20]
    pred = net(faces[idx])
    loss = mse(pred, ages[idx])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 2 == 1:
        print("iter", it, "mse %.2f" % loss.item())
