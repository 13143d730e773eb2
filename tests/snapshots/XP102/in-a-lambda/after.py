import torch
import torch_xla

to_gpu = lambda x: x.to(torch_xla.device())
