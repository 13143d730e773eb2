"""Train with torch."""

import torch_xla
import torch_xla.runtime as xr

print(xr.global_ordinal(), xr.world_size())
torch_xla.sync()
