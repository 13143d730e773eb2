import numpy
import torch
from torch import nn

model = nn.Linear(4, 2)
for p in model.parameters():
    nn.init.normal_(p, std=0.02)
    p.register_hook(lambda grad: grad.clamp(-1, 1))
model.to(torch.device("cuda"))

loaded = nn.Linear(4, 2)
params = list(loaded.parameters())
for p in params:
    p.data = torch.from_numpy(numpy.zeros(p.shape, dtype=numpy.float32))
loaded.to(torch.device("cuda"))
torch.nn.utils.clip_grad_norm_(params, 1.0)

plain = nn.Linear(4, 2)
plain.to(torch.device("cuda"))
for p in plain.parameters():
    nn.init.zeros_(p)
    p.register_hook(lambda grad: grad.clamp(-1, 1))
