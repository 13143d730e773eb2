import torch as t
import torch_xla

t.set_default_device(torch_xla.device())
t.set_default_dtype(t.float64)
x = t.as_tensor([1.0], dtype=t.get_default_dtype())
