import torch
import torch_xla

device = torch_xla.device()
other = torch.device("xla")
