import torch
from mylogging import basicConfig

basicConfig(level=1)
model = torch.nn.Linear(4, 2).cuda()
