# planted: host-read
# The logger formats its arguments when it writes them: the read is behind six frames of the standard library.
import logging

import torch
import torch_xla
from torch import nn

logging.basicConfig(level=logging.INFO, force=True)
logger = logging.getLogger("train")
device = torch_xla.device()
torch.manual_seed(0)
model = nn.Linear(8, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train_step(x):
    optimizer.zero_grad()
    loss = model(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    return loss


def main():
    for step in range(9):
        loss = train_step(torch.randn(4, 8).to(device))
        torch_xla.sync()
        logger.info("step %d loss %s", step, loss)  # <- here


main()
