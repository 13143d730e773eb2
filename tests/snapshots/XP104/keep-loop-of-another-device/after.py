import time

import torch

while not torch.backends.mps.is_available():
    time.sleep(1)
