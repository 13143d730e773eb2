"""What wandb.init() gives logs as wandb.log() does, beside a bar."""

import torch
import torch_xla
import wandb
from torch import nn
from tqdm import tqdm

device = torch_xla.device()


def train(model, loader, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    run = wandb.init(project="x")
    step = 0
    for epoch in range(epochs):
        with tqdm(total=len(loader)) as bar:
            for x in loader:
                loss = model(x.to(device)).square().mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                torch_xla.sync()
                bar.update(1)
                step += 1
                run.log({"loss": loss.item(), "step": step, "epoch": epoch})
                bar.set_postfix(**{"loss (batch)": loss.item()})


train(nn.Linear(4, 1).to(device), [torch.randn(8, 4)] * 50, 2)
