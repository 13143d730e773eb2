import time

import torch_xla
import torch_xla.core.xla_model as xm

start = time.time()
torch_xla.sync()
xm.wait_device_ops()
print(time.time() - start)
