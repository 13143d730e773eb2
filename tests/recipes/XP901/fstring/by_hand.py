import torch_xla.runtime as xr
print(f"xm.get_ordinal() is {xr.global_ordinal()}")
