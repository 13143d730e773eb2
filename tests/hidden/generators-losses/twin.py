"""The generator yields the batch's number of rows."""
import torch
from torch import nn


def training(model, optimizer, batches):
    for batch in batches:
        loss = model(batch.cuda()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield batch.size(0)


model = nn.Linear(6, 3).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
total = 0.0
for value in training(model, optimizer, torch.randn(80, 6).split(8)):
    total = 0.9 * total + 0.1 * float(value)  # never: XP301|XP302|XP303|XP304|XP305|XP306|XP308
print("smoothed", total)
