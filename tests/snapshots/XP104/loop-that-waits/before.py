import time

import torch

while not torch.cuda.is_available():
    time.sleep(1)
print("there")
