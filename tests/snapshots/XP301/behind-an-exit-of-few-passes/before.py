"""Few passes leave before the read, or all that do a step come to it."""

import torch
from data import batches, options, plot
from torch import nn

seen = []


def show(step, loss):
    if step % options.every == 0:
        return
    seen.append(loss.item())
    plot(seen)


def draw(step, loss):
    if step % 2:
        return
    seen.append(loss.item())
    plot(seen)


model = nn.Linear(8, 1).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step, x in enumerate(batches):
    loss = model(x.to("xla")).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    show(step, loss)
    draw(step, loss)

for step, x in enumerate(batches):
    loss = model(x.to("xla")).mean()
    loss.backward()
    if (step + 1) % 4:
        continue
    optimizer.step()
    optimizer.zero_grad()
    seen.append(loss.item())
    plot(seen)
