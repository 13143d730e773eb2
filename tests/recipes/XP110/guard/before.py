import torch
import torch_xla
import torch_xla.core.xla_model as xm

x = torch.ones(3).to(torch_xla.device())
if torch.cuda.device_count() > 0:
    name = xm.xla_device_kind()
    torch.cuda.memory._record_memory_history()
print(x.sum().item())
