import torch
import torch_xla

torch.set_default_device(torch_xla.device())
