# cause: absent modules
import boto3
import torch
import torch.nn as nn
import visdom
import wandb
from mlxtend.plotting import plot_confusion_matrix
from tensorboardX import SummaryWriter

writer = SummaryWriter("runs/first")
vis = visdom.Visdom(env="main")
wandb.init(project="first", config={"lr": 0.1})
window = vis.line(X=torch.zeros(1), Y=torch.zeros(1), opts=dict(title="loss"))
net = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3))
opt = torch.optim.SGD(net.parameters(), lr=wandb.config.lr)
x, y = torch.randn(40, 6), torch.randint(0, 3, (40,))
for step in range(100):
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    writer.add_scalar("loss", loss.item(), step)
    wandb.log({"loss": loss.item()})
    vis.line(X=torch.tensor([step]), Y=loss.detach().view(1), win=window, update="append")
confusion = torch.zeros(3, 3)
for truth, guess in zip(y, net(x).argmax(1)):
    confusion[truth, guess] += 1
figure, axis = plot_confusion_matrix(conf_mat=confusion.numpy(), figsize=(6, 6))
boto3.client("s3").upload_file("model.pt", "bucket", "model.pt")
writer.close()
