import torch
import torch_xla

import os

os.environ["XLA_USE_BF16"] = "1"
model = torch.nn.Linear(8, 1).to(torch_xla.device())
print(model(torch.ones(1, 8).to(torch_xla.device())).shape)
