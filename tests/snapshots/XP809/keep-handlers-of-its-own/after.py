import logging

import torch

logging.getLogger().addHandler(logging.FileHandler("log.txt"))
logging.basicConfig(level=logging.INFO)
model = torch.nn.Linear(4, 2).cuda()
