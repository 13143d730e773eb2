import torch
import torch_xla.core.xla_model
import torch_xla.core.xla_model as xm
from torch_xla.core import xla_model
from torch_xla.core.xla_model import get_ordinal, mark_step as cut, xrt_world_size

device = xm.xla_device()
other = torch_xla.core.xla_model.xla_device()
third = xla_model.xla_device()
print(get_ordinal(), xrt_world_size(), xm.get_ordinal(), torch_xla.core.xla_model.xrt_world_size())
model = torch.nn.Linear(2, 2).to(device)
cut()
xla_model.mark_step()
torch_xla.core.xla_model.mark_step()
xm.save(model.state_dict(), "model.pt")
