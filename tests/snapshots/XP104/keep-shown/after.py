import logging

import torch

print("CUDA:", torch.cuda.is_available())
logging.info("CUDA: %s", torch.cuda.is_available())
