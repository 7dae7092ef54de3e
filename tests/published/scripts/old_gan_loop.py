# cause: an old spelling
from __future__ import print_function

import torch
import torch.nn as nn
import torch.optim as optim
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset

nz, batchSize, cuda = 6, 8, False
loader = DataLoader(TensorDataset(torch.randn(24, 1, 4, 4)), batch_size=batchSize, shuffle=True)
netG = nn.Sequential(nn.ConvTranspose2d(nz, 4, 4, 1, 0, bias=False), nn.BatchNorm2d(4), nn.ReLU(True), nn.Conv2d(4, 1, 1), nn.Tanh())
netD = nn.Sequential(nn.Conv2d(1, 4, 3, 1, 1, bias=False), nn.LeakyReLU(0.2, inplace=True), nn.Conv2d(4, 1, 4, 1, 0), nn.Sigmoid())
netG.apply(lambda m: m.weight.data.normal_(0.0, 0.02) if m.__class__.__name__.find("Conv") != -1 else None)
criterion = nn.BCELoss()
noise, label = torch.FloatTensor(batchSize, nz, 1, 1), torch.FloatTensor(batchSize)
fixed = Variable(torch.FloatTensor(batchSize, nz, 1, 1).normal_(0, 1), volatile=True) if cuda else torch.randn(batchSize, nz, 1, 1)
optimizerD, optimizerG = optim.Adam(netD.parameters(), lr=2e-4), optim.Adam(netG.parameters(), lr=2e-4)
for epoch in range(3):
    for i, data in enumerate(loader, 0):
        netD.zero_grad()
        real = data[0]
        size = real.size(0)
        labelv = Variable(label.resize_(size).fill_(1))
        errD_real = criterion(netD(Variable(real)).view(-1), labelv)
        errD_real.backward()
        fake = netG(Variable(noise.resize_(size, nz, 1, 1).normal_(0, 1)))
        labelv = Variable(label.fill_(0))
        errD_fake = criterion(netD(fake.detach()).view(-1), labelv)
        errD_fake.backward()
        optimizerD.step()
        netG.zero_grad()
        labelv = Variable(label.fill_(1))
        errG = criterion(netD(fake).view(-1), labelv)
        errG.backward()
        optimizerG.step()
        print("[%d][%d/%d] Loss_D: %.4f Loss_G: %.4f" % (epoch, i, len(loader), (errD_real + errD_fake).item(), errG.item()))
