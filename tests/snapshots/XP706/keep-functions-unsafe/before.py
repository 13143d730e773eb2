import torch_xla.core.xla_model as xm
import torch_xla.runtime as xr

is_master = xm.is_master_ordinal
ask = is_master() if xm.is_master_ordinal() else None
if xm.is_master_ordinal is not None and xr.global_ordinal() == 0:
    print("saved")
register(xm.is_master_ordinal)


def question():
    return xm.is_master_ordinal
