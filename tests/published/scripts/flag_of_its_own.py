# cause: an accelerator
import argparse

import torch
import torch.nn as nn
from torch.autograd import Variable

parser = argparse.ArgumentParser(description="Trains on a graphics card by default")
parser.add_argument("--gpu", default="True", help="True or False")
parser.add_argument("--gpu_id", type=int, default=0)
options = parser.parse_args()
DRAW_ON_CARD = torch.cuda.is_available()  # the noise only


class Training:
    def __init__(self, args):
        self.model = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 3))
        self.on_card, self.index = args.gpu == "True", args.gpu_id
        if self.on_card:
            self.model.cuda(self.index)
        self.criterion = nn.CrossEntropyLoss()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=1e-3)

    def place(self, value):
        return Variable(value).cuda(self.index) if self.on_card else Variable(value)

    def fit(self, features, classes, rounds=20):
        for _ in range(rounds):
            order = torch.randperm(len(features))
            for chosen in order.split(16):
                noise = 0.01 * (torch.cuda.FloatTensor(1).normal_() if DRAW_ON_CARD else torch.randn(1))
                scores = self.model(self.place(features[chosen]) + noise)
                loss = self.criterion(scores, self.place(classes[chosen]))
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()


points = torch.randn(96, 12)
Training(options).fit(points, points[:, :3].argmax(1))
