import torch
import torch_xla.core.xla_model
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr

device = torch_xla.device()
other = torch_xla.device()
third = torch_xla.device()
print(xr.global_ordinal(), xr.world_size(), xr.global_ordinal(), xr.world_size())
model = torch.nn.Linear(2, 2).to(device)
torch_xla.sync()
torch_xla.sync()
torch_xla.sync()
xm.save(model.state_dict(), "model.pt")
