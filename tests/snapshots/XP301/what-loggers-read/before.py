import logging

import mlflow
import torch
import torch_xla
import wandb
from torch import nn
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

log = logging.getLogger(__name__)
device = torch.device("cuda")
model = nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
writer = SummaryWriter()
bar = tqdm(torch.utils.data.DataLoader(torch.randn(64, 4), batch_size=8))
for step, x in enumerate(bar):
    loss = model(x.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    writer.add_scalar("loss", loss, step)
    writer.add_scalar("loss", global_step=step, scalar_value=loss)
    writer.add_scalars("losses", {"train": loss, "rate": 0.1}, step)
    writer.add_histogram("weight", model.weight, step)
    wandb.log({"loss": loss, "step": step})
    wandb.log(dict(loss=loss))
    mlflow.log_metric("loss", loss)
    log.info("loss %.3f", loss)
    bar.set_postfix(loss=loss)
    bar.set_postfix({"loss": loss})
    # What is no tensor, is shown now and then, or not at all.
    writer.add_scalar("rate", 0.1, step)
    wandb.log({"step": step})
    log.debug("loss %.3f", loss)
    log.info("no place", loss)
    if step % 10 == 0:
        writer.add_scalar("loss", loss, step)
    for name, p in model.named_parameters():
        writer.add_scalar(name, p.grad.norm(), step)
