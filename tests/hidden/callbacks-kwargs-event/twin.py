"""The callback listens to the end only."""
from collections import defaultdict

import torch
from torch import nn

LISTENERS = defaultdict(list)


def on(event):
    return lambda function: LISTENERS[event].append(function) or function


def fire(event, **state):
    for listener in LISTENERS[event]:
        listener(**state)


@on("end")
def best(loss, record, **_):
    record["best"] = min(record["best"], loss.item())  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308


@on("end")
def show(record, **_):
    print(record)


net = nn.Linear(4, 4).cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
record = {"best": float("inf")}
for step in range(30):
    loss = net(torch.randn(8, 4).cuda()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    fire("step", loss=loss, record=record, step=step)  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308
fire("end", record=record, loss=loss)
