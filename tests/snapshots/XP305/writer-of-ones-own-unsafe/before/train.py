import torch
import torch_xla

from logger import Logger


def prepare(folder, rank):
    if rank == 0:
        logger = Logger(folder)
    else:
        logger = None
    return logger


def train(folder, loader, rank=0):
    model = torch.nn.Linear(4, 2).to(torch_xla.device())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    logger = prepare(folder, rank)
    for iteration, x in enumerate(loader):
        optimizer.zero_grad()
        loss = model(x.to(torch_xla.device())).mean()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        torch_xla.sync()
        if rank == 0:
            print(iteration, loss.item())
            logger.log_training(loss.item(), norm, iteration)
