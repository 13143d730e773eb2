import torch
from torch import nn


def training(model, optimizer, batches):
    for batch in batches:
        loss = model(batch.cuda()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss.detach()


def sizes(batches):
    for batch in batches:
        yield len(batch)


model = nn.Linear(6, 3).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
total = 0.0
for value in training(model, optimizer, torch.randn(80, 6).split(8)):
    total = 0.9 * total + 0.1 * float(value)
for number, value in enumerate(training(model, optimizer, torch.randn(80, 6).split(8))):
    if number % 10 == 0:
        print(value.item())
for size in sizes(torch.randn(80, 6).split(8)):
    print(float(size))
print("smoothed", total)
