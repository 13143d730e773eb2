# A read before backward() runs what the loss is made of, and the step's graph runs it again.
import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def loss_of(out, y):
    error = (out - y).square()
    figures = {"mean": error.mean().item(), "close": (error < 1).float().mean().item()}
    return error.mean(), figures


def note(loss, out, log):
    last = out.detach().abs().max().tolist()
    log.update(last, loss)


def train(loader, log):
    for x, y in loader:
        optimizer.zero_grad()
        loss, figures = loss_of(model(x.to(device)), y.to(device))
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        log.write(figures)


def train_and_note(loader, log):
    for x, y in loader:
        optimizer.zero_grad()
        out = model(x.to(device))
        loss = (out - y.to(device)).square().mean()
        loss.backward()
        optimizer.step()
        torch_xla.sync()
        note(loss, out, log)
