# cause: required arguments
import argparse
import os

import torch
import torch.nn as nn
from PIL import Image
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def train(args):
    transform = transforms.Compose([transforms.Resize(args.image_size), transforms.CenterCrop(args.image_size), transforms.ToTensor()])
    loader = DataLoader(datasets.ImageFolder(args.dataset, transform), batch_size=args.batch_size)
    net = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.InstanceNorm2d(4, affine=True), nn.ReLU(), nn.Conv2d(4, 3, 3, padding=1))
    optimizer = torch.optim.Adam(net.parameters(), args.lr)
    style = transform(Image.open(args.style_image).convert("RGB"))
    for epoch in range(args.epochs):
        for batch_id, (x, _) in enumerate(loader):
            y = net(x)
            loss = nn.functional.mse_loss(y, x) + (y.mean((0, 2, 3)) - style.mean((1, 2))).pow(2).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    torch.save(net.state_dict(), os.path.join(args.save_model_dir, "epoch_" + str(args.epochs) + ".model"))


def main():
    main_parser = argparse.ArgumentParser(description="parser for style transfer")
    subparsers = main_parser.add_subparsers(title="subcommands", dest="subcommand")
    p = subparsers.add_parser("train", help="parser for training arguments")
    p.add_argument("--epochs", type=int, default=2)
    p.add_argument("--batch-size", type=int, default=4)
    p.add_argument("--dataset", type=str, required=True, help="path to training dataset")
    p.add_argument("--style-image", type=str, default="images/mosaic.jpg")
    p.add_argument("--save-model-dir", type=str, required=True)
    p.add_argument("--image-size", type=int, default=16)
    p.add_argument("--lr", type=float, default=1e-3)
    e = subparsers.add_parser("eval")
    e.add_argument("--model", type=str, required=True)
    args = main_parser.parse_args()
    if args.subcommand is None:
        raise SystemExit("specify either train or eval")
    if args.subcommand == "train":
        train(args)


if __name__ == "__main__":
    main()
