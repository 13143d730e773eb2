import logging

import torch

options = {"force": True}
logging.basicConfig(level=logging.INFO, force=True)
logging.basicConfig(**options)
model = torch.nn.Linear(4, 2).cuda()
