import torch
import torch_xla
import torch_xla.core.xla_model as xm

device = torch_xla.device()
model = torch.nn.Linear(4, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(8, 4))

import logging
import sys

from tqdm import tqdm
from torch.utils.tensorboard import SummaryWriter


class Trainer:
    def __init__(self, args, logger):
        self.writer = SummaryWriter()
        self.logger = logger
        self.epoch = 0
        self.args = args

    def train(self):
        pbar = tqdm(loader)
        for step, x in enumerate(pbar):
            loss = model(x.to(device)).mean()
            loss.backward()
            optimizer.step()

            def log_2(epoch, epochs, loss, step):
                pbar.set_description(f"epoch {epoch} of {epochs}: {loss.item():.3f}")
                pbar.set_postfix(loss=loss.item(), step=step)
                pbar.set_postfix({"loss": float(loss)})
                self.writer.add_scalar("loss", loss, epoch * len(loader) + step)
                self.logger.info("loss: %.3f", loss.item())
                self.logger.info("loss: {:.3f}".format(loss.item()))
                tqdm.write(str(loss.item()))
                sys.stdout.write(f"\r{loss.item():.3f}")
                sys.stdout.flush()

            xm.add_step_closure(
                log_2,
                args=(self.epoch, self.args.epochs, loss, step),
                run_async=True,
            )
            torch_xla.sync()
        self.epoch += 1


log = logging.getLogger(__name__)
with tqdm(total=len(loader)) as bar:
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()

        def log_2(loss):
            log.debug(loss.item())
            bar.set_postfix_str(f"{loss.item():.3f}")

        xm.add_step_closure(log_2, args=(loss,), run_async=True)
        torch_xla.sync()
        bar.update(1)
