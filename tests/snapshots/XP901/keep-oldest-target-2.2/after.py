import torch_xla.core.xla_model as xm

device = xm.xla_device(1)
print(xm.get_ordinal(0), xm.xrt_world_size(), xm.get_local_ordinal())
xm.mark_step()
