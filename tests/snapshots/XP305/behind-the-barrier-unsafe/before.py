import logging

import torch
import torch_xla
import wandb
from torch.utils.tensorboard import SummaryWriter

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))
logger = logging.getLogger(__name__)
writer = SummaryWriter()
EPOCHS = 3


def train(epoch, args):
    for step, x in enumerate(loader):
        out = model(x.to(device))
        loss = out.mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        print(f"epoch {epoch}/{EPOCHS} of {args.name}: {step}/{len(loader)} loss {loss.item():.4f}")
        # every so often
        if step % args.log_interval == 0:
            logger.info("loss %s, lr %s", loss.detach().item(), scheduler.get_last_lr()[0])
            # Of the host.
            logger.info("still here")  # twice
            writer.add_scalar("loss", (loss * 2).item(), epoch * len(loader) + step)
        wandb.log({
            "loss": loss.item(),
            "mean": out.mean(dim=0).sum().item() / 2,
            "lr": optimizer.param_groups[0]["lr"],
        })


for epoch in range(EPOCHS):
    train(epoch, None)
