import timing
import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader

device = torch_xla.device()
model = nn.Linear(2, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
last = []


def step(loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def looked_at(x):
    loss = model(x).mean()
    log = {"loss": loss.item()}
    step(loss)
    if log["loss"] > 10:
        print("large")
    torch_xla.sync()
    return log


def called_elsewhere(x):
    loss = model(x).mean()
    log = {"loss": loss.item()}
    step(loss)
    return log


def held_by_others(x):
    loss = model(x).mean()
    log = {"loss": loss.item()}
    last.append(log)
    step(loss)
    torch_xla.sync()
    return log


def seen_by_a_closure(x):
    loss = model(x).mean()
    log = {"loss": loss.item()}

    def show():
        print(log)

    show()
    step(loss)
    torch_xla.sync()
    return log


def beside_a_tensor(x):
    out = model(x)
    log = {"loss": out.mean().item(), "first": out[:1].detach()}
    step(out.mean())
    torch_xla.sync()
    return log


def computed_on_the_host(x, count):
    loss = model(x).mean()
    log = {"loss": loss.item() / count}
    step(loss)
    torch_xla.sync()
    return log


def left_before(x):
    loss = model(x).mean()
    log = {"loss": loss.item()}
    step(loss)
    if x.shape[0] < 4:
        return log
    torch_xla.sync()
    return log


def left_from_a_loop(x):
    log = {}
    for part in x.split(2):
        if part.shape[0] < 2:
            return log
        loss = model(part).mean()
        log["loss"] = loss.item()
        step(loss)
    torch_xla.sync()
    return log


def left_to_the_next(parts):
    log = {}
    for part in parts:
        log = {"old": 0.0}
        loss = model(part).mean()
        log["loss"] = loss.item()
        step(loss)
        if part.shape[0] < 4:
            continue
        torch_xla.sync()
    return log


def after_an_exception(x):
    log = {}
    try:
        log = {}
        loss = model(x).mean()
        log["loss"] = loss.item()
        step(loss)
        torch_xla.sync()
    except ValueError:
        print(log)
    return log


def begun_before(x):
    log = {}
    for part in x.split(2):
        loss = model(part).mean()
        log["loss"] = loss.item()
        step(loss)
        torch_xla.sync()
    return log


def given_another(x, other):
    loss = model(x).mean()
    log = {"loss": loss.item()}
    step(loss)
    log.update(other)
    torch_xla.sync()
    return log


def beside_something_unknown(x):
    loss = model(x).mean()
    log = {"loss": loss.item(), "time": timing.clock().item()}
    step(loss)
    torch_xla.sync()
    return log


def made_whole(x):
    loss = model(x).mean()
    log = {"loss": int(loss.item()), "rest": int(loss)}
    step(loss)
    torch_xla.sync()
    return log


for x in DataLoader(torch.rand(8, 2), batch_size=4):
    x = x.to(device)
    log = called_elsewhere(x)
    torch_xla.sync()
    print(log, looked_at(x), held_by_others(x), seen_by_a_closure(x), beside_a_tensor(x), computed_on_the_host(x, 2))
    print(left_before(x), after_an_exception(x), begun_before(x), given_another(x, log), made_whole(x), last)
    print(beside_something_unknown(x), left_from_a_loop(x), left_to_the_next([x, x]))
    print(called_elsewhere(x)["loss"])
