"""The function gets model and optimizer as **kwargs, and moves the model."""
import torch
from torch import nn


def fit(steps=10, **parts):
    parts["criterion"].cuda()
    model = parts["model"].cuda()
    for _ in range(steps):
        x = torch.randn(4, 3).cuda()
        loss = parts["criterion"](model(x), x)
        parts["optimizer"].zero_grad()
        loss.backward()
        parts["optimizer"].step()
    return loss.item()


net = nn.Linear(3, 3)
kit = {"model": net, "criterion": nn.SmoothL1Loss()}
kit["optimizer"] = torch.optim.SGD(net.parameters(), lr=0.1)  # wants: XP203
print(fit(**kit))
