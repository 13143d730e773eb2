"""The averaging object keeps the model and moves it, after the optimizer."""
import copy
import torch
import torch_xla
from torch import nn


class Average:
    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.module = model
        self.copy = copy.deepcopy(model)

    def to_gpu(self):
        self.module.cuda()
        self.copy.cuda()


model = nn.Sequential(nn.Linear(6, 12), nn.SiLU(), nn.Linear(12, 6))
ema = Average(model)
model.to(torch_xla.device())
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
ema.to_gpu()
for step in range(10):
    x = torch.randn(4, 6).cuda()
    loss = (model(x) - x).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item(), ema.decay)
