import time

import torch_xla
import torch_xla.core.xla_model as xm

start = time.time()
xm.mark_step(wait=True)
torch_xla.sync(True)
torch_xla.sync(wait=start > 1)
torch_xla.sync(wait=False)
print(time.time() - start)
