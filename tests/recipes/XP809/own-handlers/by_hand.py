import logging

import torch
import torch_xla

logger = logging.getLogger("training")
if not logger.handlers:
    logger.addHandler(logging.NullHandler())
print(torch.ones(3).to(torch_xla.device()).sum().item())
