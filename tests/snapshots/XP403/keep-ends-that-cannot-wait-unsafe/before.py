"""Ends of trainings that have to come in their own iteration: each stays as it is."""

import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(8, 1).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = [torch.randn(4, 8)] * 10
best, patience = None, 0


def trained(batch):
    loss = model(batch.to(device)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


class Stopper:
    def __init__(self):
        self.bad, self.best = 0, None

    def ask(self, loss):
        self.bad = 0 if self.best is None or loss < self.best else self.bad + 1
        self.best = loss
        return loss * 0 + self.bad > 3


def epoch():
    for i, batch in enumerate(batches):  # is called in each epoch, which has ten batches
        loss = trained(batch)
        if loss < 1e-3:
            break


for number in range(10):
    epoch()
    for i, batch in enumerate(batches):  # begins anew in each epoch
        loss = trained(batch)
        if loss < 1e-3:
            break

while True:  # has no other end, and may be small in other iterations only
    loss = trained(batches[0])
    if loss < 1e-3:
        break

for i in range(1000):
    loss = trained(batches[0])
    if loss < 1e-3:  # how often counts
        patience += 1
        break

stopper = Stopper()
for i in range(1000):
    loss = trained(batches[0])
    if stopper.ask(loss):  # what is asked counts
        break

for i in range(1000):
    loss = trained(batches[0])
    if loss < 1e-3:
        best = loss
        break
    else:
        patience = i

for i in range(1000):  # the number of the last iteration is used
    loss = trained(batches[0])
    if loss < 1e-3:
        break
print("iterations", i)

steps = 0
for i in range(1000):  # so is how many there were
    loss = trained(batches[0])
    steps += 1
    if loss < 1e-3:
        break
print("steps", steps)

for i in range(12):  # is over before it would be asked again
    loss = trained(batches[0])
    if loss < 1e-3:
        break

for i in range(1000):  # the step would destroy the weights
    loss = model(batches[0].to(device)).square().mean()
    if not torch.isfinite(loss):
        break
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

for i in range(1000):  # it would diverge further
    loss = trained(batches[0])
    if loss.item() > 1e3:
        break

for i in range(1000):
    loss = trained(batches[0])
    if 1e3 <= loss:
        break

for i in range(1000):
    loss = trained(batches[0])
    if loss < 1e-3:
        break
else:
    print("never")

for i in range(1000):
    loss = model(batches[0].to(device)).square().mean()
    loss.backward()
    if (i + 1) % 4 != 0:  # never in a 16th iteration
        continue
    optimizer.step()
    optimizer.zero_grad()
    if loss < 1e-3:
        break
