import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr
import torch_xla

print(f"[{xr.global_ordinal()}/{xr.world_size()}] on {torch_xla.device()}: {xr.global_ordinal() + 1:>4}")
print(f"{xr.global_ordinal()}")
print(f"xm.get_ordinal() is {xm.get_ordinal()}")
