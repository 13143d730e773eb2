import torch_xla as torch_xla_
import torch_xla.runtime as runtime

xr = 0.5


def world(torch_xla):
    torch_xla_.sync()
    return xr * runtime.world_size()
