import torch_xla.backends

torch_xla.backends.set_mat_mul_precision("highest")
