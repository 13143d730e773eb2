import time

import torch_xla
import torch

start = time.time()
torch.accelerator.synchronize()
torch.accelerator.synchronize()
torch.accelerator.synchronize()
torch_xla.sync(wait=False)
print(time.time() - start)
