"""The norm is looked at once an epoch, behind its steps."""
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

model = nn.Linear(4, 4).to("xla")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)


def check():
    return clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)


for epoch in range(10):
    for step in range(1000):
        optimizer.zero_grad()
        model(torch.randn(8, 4, device="xla")).mean().backward()
        optimizer.step()
    clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
    check()
