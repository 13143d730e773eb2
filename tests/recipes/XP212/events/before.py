import torch
import torch_xla
import torch_xla.core.xla_model as xm
from torch import nn

device = torch_xla.device()
start = torch.cuda.Event(enable_timing=True)
end = torch.cuda.Event(enable_timing=True)
events = [start, end]
start.record()
x = torch.ones(3).to(device) * 2
end.record()
torch_xla.sync()
xm.wait_device_ops()
print(events, start.elapsed_time(end))
