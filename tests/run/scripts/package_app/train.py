"""A small project: package with several modules, argparse, workers, progress bar, TensorBoard, checkpoints, resume, a plot."""
import argparse
import os

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt
import torch
from torch.utils.data import DataLoader, random_split
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm, trange

from lab.data import Waves
from lab.engine import evaluate, train_epoch
from lab.model import WaveNet


def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--lr", type=float, default=1e-3)
    parser.add_argument("--out", default="runs/demo")
    parser.add_argument("--resume", action="store_true")
    return parser.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_set, val_set = random_split(Waves(510), [410, 100])
    loader_options = {"batch_size": args.batch_size, "num_workers": 4, "persistent_workers": True, "pin_memory": True}
    train_loader = DataLoader(train_set, shuffle=True, **loader_options)
    val_loader = DataLoader(val_set, **loader_options)
    model = WaveNet(hidden=16).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=5, gamma=0.5)
    writer = SummaryWriter(args.out)
    os.makedirs(args.out, exist_ok=True)
    path = os.path.join(args.out, "best.pt")
    best, history = float("inf"), []
    for epoch in trange(args.epochs, desc="epochs"):
        loss = train_epoch(model, tqdm(train_loader, leave=False), optimizer, device)
        val_loss, accuracy = evaluate(model, val_loader, device)
        scheduler.step()
        writer.add_scalar("loss/train", loss, epoch)
        writer.add_scalar("loss/val", val_loss, epoch)
        history.append((loss, val_loss))
        if val_loss < best:
            best = val_loss
            torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch}, path)
    writer.close()
    checkpoint = torch.load(path, map_location=device)
    model.load_state_dict(checkpoint["model"])
    plt.plot([a for a, _ in history])
    plt.plot([b for _, b in history])
    plt.savefig(os.path.join(args.out, "loss.png"))
    print(f"best {best:.3f}, accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
