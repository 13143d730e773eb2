import torch
import torch_xla.distributed.spmd as xs
import torch_xla.runtime as xr

mesh = xs.Mesh(range(xr.global_runtime_device_count()), (2, 2), ("dp", "tp"))
