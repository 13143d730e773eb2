import torch_xla.core.xla_model as xm

name = xm.xla_device_kind()
state = xm.get_rng_state()
