import torch_xla.core.xla_model as xm

xr = 0.5


def world(torch_xla):
    xm.mark_step()
    return xr * xm.xrt_world_size()
