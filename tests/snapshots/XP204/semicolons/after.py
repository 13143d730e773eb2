import time

import torch_xla
import torch_xla.core.xla_model as xm
x = 1
torch_xla.sync()
xm.wait_device_ops()
t = time.time()
