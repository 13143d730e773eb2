import functools

import torch
from torch.cuda.amp import autocast

model = torch.nn.Linear(4, 2).cuda()
x = torch.zeros(2, 4).cuda()
with autocast(**options):
    y = model(x)
with autocast(*options):
    y = model(x)
context = functools.partial(autocast, enabled=True)
with context():
    y = model(x)
