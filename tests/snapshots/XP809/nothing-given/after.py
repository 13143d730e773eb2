from logging import basicConfig

import torch

basicConfig(force=True)
model = torch.nn.Linear(4, 2).cuda()
