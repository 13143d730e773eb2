import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr

if xm.is_master_ordinal == True:
    print("saved")
if xm.is_master_ordinal:
    print("saved")
if not xm.is_master_ordinal and xr.global_ordinal == 0:
    print("saved")
print("first" if xr.global_ordinal == 0 else "other")
