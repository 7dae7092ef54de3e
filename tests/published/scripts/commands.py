# cause: required arguments
import click
import torch
import torch.nn as nn


@click.command()
@click.option("--width", type=int, required=True, help="width of the hidden layer")
@click.option("--task", type=click.Choice(["classify", "regress"]), required=True)
@click.argument("folder")
def main(width, task, folder):
    net = nn.Sequential(nn.Linear(4, 8 * width), nn.ReLU(), nn.Linear(8 * width, 3))
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.randn(16, 4)
    y = torch.randint(0, 3, (16,)) if task == "classify" else torch.randn(16, 3)
    for _ in range(5):
        loss = nn.functional.cross_entropy(net(x), y) if task == "classify" else nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    torch.save(net.state_dict(), f"{folder}/net.pt")


if __name__ == "__main__":
    main()
