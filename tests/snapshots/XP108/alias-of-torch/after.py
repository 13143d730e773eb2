import torch as t
import torch_xla

x = t.zeros(3).to(torch_xla.device(), t.float16)
