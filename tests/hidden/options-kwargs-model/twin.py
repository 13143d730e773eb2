"""The function moves the loss module only."""
import torch
from torch import nn


def fit(steps=10, **parts):
    model = parts["model"]
    parts["criterion"].cuda()
    for _ in range(steps):
        x = torch.randn(4, 3).cuda()
        loss = parts["criterion"](model(x), x)
        parts["optimizer"].zero_grad()
        loss.backward()
        parts["optimizer"].step()
    return loss.item()


net = nn.Linear(3, 3)
net.cuda()
kit = {"model": net, "criterion": nn.SmoothL1Loss()}
kit["optimizer"] = torch.optim.SGD(net.parameters(), lr=0.1)  # never: XP203
print(fit(**kit))
