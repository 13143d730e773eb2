"""A decorator with an argument keeps the number that the decorated step's loss is."""
from functools import wraps

import torch
from torch import nn


def logged(history):
    def decorate(function):
        @wraps(function)
        def inner(*args, **kwargs):
            result = function(*args, **kwargs)
            history.append(result.item())  # wants: XP301|XP302|XP303|XP304|XP305|XP306|XP308
            if len(history) > 5 and history[-1] > 10 * history[-5]:
                raise RuntimeError("diverged")
            return result

        return inner

    return decorate


history = []
model = nn.Linear(6, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


@logged(history)
def train_step(x, y):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
    return loss


for step in range(40):
    train_step(torch.randn(8, 6).cuda(), torch.randn(8, 1).cuda())
print(history[-1])
