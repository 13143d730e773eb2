import torch
import torch_xla
import torch_xla.core.xla_model as xm

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

    def log_2(loss, step):
        # for the logs
        loss_value = loss.item()
        print(loss_value)
        # TensorBoard
        writer.add_scalar("loss", loss_value, step)

    xm.add_step_closure(log_2, args=(loss, step), run_async=True)
    torch_xla.sync()

for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()

    def log_2(loss, lr, step):
        log = {"loss": loss.item(), "lr": lr}
        wandb.log(log, step=step)

    xm.add_step_closure(log_2, args=(loss, optimizer.param_groups[0]["lr"], step), run_async=True)
    torch_xla.sync()

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
    xm.add_step_closure(
        lambda loss_mean, lr, now: print(f"{loss_mean.item():.3f} {lr:.1e} {now - start:.1f}"),
        args=(loss.mean(), optimizer.param_groups[0]['lr'], time.time()),
        run_async=True,
    )
    torch_xla.sync()
    scheduler.step()

# The tensor's own name.
for step, x in enumerate(loader):
    loss = model(x.to(device)).mean()
    loss.backward()
    optimizer.step()

    def log_2(loss):
        loss = loss.item()
        print(f"{loss:.3f}")

    xm.add_step_closure(log_2, args=(loss,), run_async=True)
    torch_xla.sync()
