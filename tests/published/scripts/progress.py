# cause: absent modules
import logging

import mlflow
import nltk
import neptune
import torch
import torch.nn as nn
from tqdm import tqdm, trange

nltk.download("punkt")
logging.basicConfig(level=logging.INFO)
run = neptune.init_run(project="me/first")
mlflow.set_experiment("first")
net, opt = nn.Linear(4, 1), None
opt = torch.optim.Adam(net.parameters())
with mlflow.start_run():
    mlflow.log_params({"lr": 1e-3})
    for epoch in trange(20, desc="epochs"):
        bar = tqdm(torch.randn(40, 4).split(8))
        for x in bar:
            loss = net(x).squeeze(1).sub(x.sum(1)).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            bar.set_postfix(loss=f"{loss.item():.3f}")
        run["train/loss"].append(loss.item())
        mlflow.log_metric("loss", loss.item(), step=epoch)
        logging.info("epoch %d %.3f", epoch, loss.item())
run.stop()
