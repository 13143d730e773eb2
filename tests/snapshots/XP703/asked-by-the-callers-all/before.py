import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn


def save(model, step):
    if xm.get_ordinal() == 0:
        torch.save(model.state_dict(), f"model{step}.pt")


def train(loader):
    model = nn.Linear(4, 2).to(torch_xla.device())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step, x in enumerate(loader):
        loss = model(x.to(torch_xla.device())).mean()
        optimizer.zero_grad()
        loss.backward()
        xm.optimizer_step(optimizer)
        torch_xla.sync()
        if xm.get_ordinal() == 0 and step % 5 == 0:
            save(model, step)
    for parameter in model.parameters():
        xm.all_reduce(xm.REDUCE_SUM, [parameter.data])
    if xm.get_ordinal() == 0:
        save(model, -1)


def _mp_fn(index):
    train([torch.zeros(8, 4)])


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
