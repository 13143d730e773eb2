"""What wandb.init() gives logs as wandb.log() does, beside a bar."""

import torch
import torch_xla
import torch_xla.core.xla_model as xm
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
                bar.update(1)
                step += 1

                def log(loss, step, epoch, bar):
                    run.log({"loss": loss.item(), "step": step, "epoch": epoch})
                    bar.set_postfix(**{"loss (batch)": loss.item()})

                xm.add_step_closure(log, args=(loss, step, epoch, bar), run_async=True)
                torch_xla.sync()


train(nn.Linear(4, 1).to(device), [torch.randn(8, 4)] * 50, 2)
