import time

import torch
x = 1; torch.cuda.synchronize(); t = time.time()
