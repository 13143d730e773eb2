import logging

import torch

logging.basicConfig(level=logging.INFO, force=True)
model = torch.nn.Linear(4, 2).cuda()
