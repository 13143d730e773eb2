import torch
import torch_xla.runtime as xr

if not xr.is_spmd():
    xr.use_spmd()
print(xr.process_count(), xr.world_size())
