import torch
import torch_xla
import time
import torch_xla.core.xla_model as xm
from torch import nn

device = torch_xla.device()
torch_xla.sync()
xm.wait_device_ops()
start = time.perf_counter()
x = torch.ones(3).to(device) * 2
torch_xla.sync()
xm.wait_device_ops()
end = time.perf_counter()
print([start, end], (end - start) * 1000)
