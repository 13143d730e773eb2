import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr

get = torch.accelerator.current_accelerator
device = torch.accelerator.current_accelerator()
ranks = map(xr.global_ordinal, [])
kept = dict(device=torch.accelerator.current_accelerator, save=xm.save, is_there=xr.using_pjrt)
run = torch_xla.compile()
