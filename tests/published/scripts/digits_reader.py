# cause: an absent module's reader, an old spelling
import os

import matplotlib.gridspec as gridspec
import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn.functional as nn
import torch.optim as optim
from tensorflow.examples.tutorials.mnist import input_data
from torch.autograd import Variable

mnist = input_data.read_data_sets("../../MNIST_data", one_hot=True)
mb_size, Z_dim, X_dim, h_dim = 32, 10, mnist.train.images.shape[1], 24


def xavier_init(size):
    return Variable(torch.randn(*size) * 1.0 / np.sqrt(size[0] / 2.0), requires_grad=True)


Wzh, bzh = xavier_init([Z_dim, h_dim]), Variable(torch.zeros(h_dim), requires_grad=True)
Whx, bhx = xavier_init([h_dim, X_dim]), Variable(torch.zeros(X_dim), requires_grad=True)
Wxh, bxh = xavier_init([X_dim, h_dim]), Variable(torch.zeros(h_dim), requires_grad=True)
Why, bhy = xavier_init([h_dim, 1]), Variable(torch.zeros(1), requires_grad=True)


def G(z):
    h = nn.relu(z @ Wzh + bzh.repeat(z.size(0), 1))
    return nn.sigmoid(h @ Whx + bhx.repeat(h.size(0), 1))


def D(X):
    h = nn.relu(X @ Wxh + bxh.repeat(X.size(0), 1))
    return nn.sigmoid(h @ Why + bhy.repeat(h.size(0), 1))


G_params, D_params = [Wzh, bzh, Whx, bhx], [Wxh, bxh, Why, bhy]
G_solver, D_solver = optim.Adam(G_params, lr=1e-3), optim.Adam(D_params, lr=1e-3)
ones_label, zeros_label = Variable(torch.ones(mb_size, 1)), Variable(torch.zeros(mb_size, 1))
for it in range(2000):
    z = Variable(torch.randn(mb_size, Z_dim))
    X, _ = mnist.train.next_batch(mb_size)
    X = Variable(torch.from_numpy(X))
    D_loss = nn.binary_cross_entropy(D(X), ones_label) + nn.binary_cross_entropy(D(G(z).detach()), zeros_label)
    D_solver.zero_grad()
    D_loss.backward()
    D_solver.step()
    z = Variable(torch.randn(mb_size, Z_dim))
    G_loss = nn.binary_cross_entropy(D(G(z)), ones_label)
    G_solver.zero_grad()
    G_loss.backward()
    G_solver.step()
    if it % 1000 == 0:
        samples = G(z).data.numpy()[:4]
        fig = plt.figure(figsize=(2, 2))
        gs = gridspec.GridSpec(2, 2)
        for i, sample in enumerate(samples):
            ax = plt.subplot(gs[i])
            plt.axis("off")
            plt.imshow(sample.reshape(28, 28), cmap="Greys_r")
        if not os.path.exists("out/"):
            os.makedirs("out/")
        plt.savefig("out/{}.png".format(str(it).zfill(3)), bbox_inches="tight")
        plt.close(fig)
