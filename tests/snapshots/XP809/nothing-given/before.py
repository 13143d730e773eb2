from logging import basicConfig

import torch

basicConfig()
model = torch.nn.Linear(4, 2).cuda()
