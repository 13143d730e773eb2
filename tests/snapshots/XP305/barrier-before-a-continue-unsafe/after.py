import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

device = torch_xla.device()
model = nn.Linear(4, 2).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def train(bar):
    for i in bar:
        x = torch.rand(8, 4).to(device)
        if i == 0:
            with torch.no_grad():
                model(x)
                torch_xla.sync()
                continue
        loss = model(x).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        xm.add_step_closure(
            lambda loss: bar.set_description(f"loss {loss.item():.3f}"),
            args=(loss,),
            run_async=True,
        )
        torch_xla.sync()


def train_until(bar, steps):
    for i in bar:
        loss = model(torch.rand(8, 4).to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        xm.add_step_closure(
            lambda loss: print(f"loss {loss.item():.3f}"),
            args=(loss,),
            run_async=True,
        )
        if i == steps:
            torch_xla.sync()
            break
        steps += 1
        torch_xla.sync()


def train_in_either(bar):
    for i in bar:
        loss = model(torch.rand(8, 4).to(device)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if i == 0:
            torch_xla.sync()
        else:
            torch_xla.sync()
        xm.add_step_closure(
            lambda loss: bar.set_description(f"loss {loss.item():.3f}"),
            args=(loss,),
            run_async=True,
        )
    torch_xla.sync()
