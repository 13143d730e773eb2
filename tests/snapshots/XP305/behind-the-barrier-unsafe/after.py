import logging

import torch
import torch_xla
import torch_xla.core.xla_model as xm
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
        xm.add_step_closure(
            lambda step, loss: print(f"epoch {epoch}/{EPOCHS} of {args.name}: {step}/{len(loader)} loss {loss.item():.4f}"),
            args=(step, loss),
            run_async=True,
        )
        # every so often
        if step % args.log_interval == 0:
            def log(loss, last_lr, value, step):
                logger.info("loss %s, lr %s", loss.detach().item(), last_lr)
                # Of the host.
                logger.info("still here")
                writer.add_scalar("loss", value.item(), epoch * len(loader) + step)

            xm.add_step_closure(
                log,
                args=(loss, scheduler.get_last_lr()[0], loss * 2, step),
                run_async=True,
            )

        def log_2(loss, out_mean_sum, lr):
            wandb.log({
                "loss": loss.item(),
                "mean": out_mean_sum.item() / 2,
                "lr": lr,
            })

        xm.add_step_closure(
            log_2,
            args=(loss, out.mean(dim=0).sum(), optimizer.param_groups[0]["lr"]),
            run_async=True,
        )
        torch_xla.sync()


for epoch in range(EPOCHS):
    train(epoch, None)
