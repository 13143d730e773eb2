import torch
from torch import nn

model = nn.Linear(2, 2)
model.to("cuda")
for p in model.parameters():
    p.register_hook(lambda grad: grad.clamp(-1, 1))
