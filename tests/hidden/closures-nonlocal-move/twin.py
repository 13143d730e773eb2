"""The function makes the model on the device; prepare only sets the mode."""
import torch
from torch import nn


def trainer(width):
    model = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1)).cuda()
    optimizer = torch.optim.Adagrad(model.parameters())  # never: XP203
    ready = False

    def prepare():
        nonlocal model, ready
        model = model.train()
        ready = True

    def update(x):
        if not ready:
            prepare()
        loss = model(x.cuda()).abs().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return update


update = trainer(6)
for _ in range(18):
    loss = update(torch.randn(10, 6))
print(loss.item())
