import time

import torch

start = time.time()
torch.cuda.synchronize()
print(time.time() - start)
