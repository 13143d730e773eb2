import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr

get = xm.xla_device
device = get()
ranks = map(xr.global_ordinal, [])
kept = dict(device=torch_xla.device, save=xm.save, is_there=xr.using_pjrt)
run = torch_xla.compile()
