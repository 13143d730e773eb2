import torch_xla
import torch_xla.runtime as xr

print(f"[{xr.global_ordinal()}/{xr.world_size()}] on {torch_xla.device()}: {xr.global_ordinal() + 1:>4}")
print(f"{xr.global_ordinal()}")
print(f"xm.get_ordinal() is {xr.global_ordinal()}")
