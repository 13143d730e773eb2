import torch
import torch_xla

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
            torch_xla.sync()
            pbar.set_description(f"epoch {self.epoch} of {self.args.epochs}: {loss.item():.3f}")
            pbar.set_postfix(loss=loss.item(), step=step)
            pbar.set_postfix({"loss": float(loss)})
            self.writer.add_scalar("loss", loss, self.epoch * len(loader) + step)
            self.logger.info("loss: %.3f", loss.item())
            self.logger.info("loss: {:.3f}".format(loss.item()))
            tqdm.write(str(loss.item()))
            sys.stdout.write(f"\r{loss.item():.3f}")
            sys.stdout.flush()
        self.epoch += 1


log = logging.getLogger(__name__)
with tqdm(total=len(loader)) as bar:
    for x in loader:
        loss = model(x.to(device)).mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        log.debug(loss.item())
        bar.set_postfix_str(f"{loss.item():.3f}")
        bar.update(1)
