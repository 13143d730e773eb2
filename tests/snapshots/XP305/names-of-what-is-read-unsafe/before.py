import torch
import torch_xla

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

import time

import wandb
from torch.utils.tensorboard import SummaryWriter

writer = SummaryWriter()
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
start = time.time()

for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    # for the logs
    loss_value = loss.item()
    print(loss_value)
    # TensorBoard
    writer.add_scalar("loss", loss_value, step)

for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    log = {"loss": loss.item(), "lr": optimizer.param_groups[0]["lr"]}
    wandb.log(log, step=step)

for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    text = f"{step:>5}"
    value = loss.item()
    elapsed = time.time() - start
    text += f" {value:.3f} in {elapsed:.1f}"
    print(text)

for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(f"{loss.mean().item():.3f} {optimizer.param_groups[0]['lr']:.1e} {time.time() - start:.1f}")
    scheduler.step()

# The tensor's own name.
for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    loss = loss.item()
    print(f"{loss:.3f}")
