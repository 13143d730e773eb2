import torch_xla.core.xla_model as xm
print(f"xm.get_ordinal() is {xm.get_ordinal()}")
