import torch
import os
import torch_xla.runtime as xr

if not xr.is_spmd():
    xr.use_spmd()
print(int(os.environ.get("WORLD_SIZE", "1")), int(os.environ.get("WORLD_SIZE", "1")))
