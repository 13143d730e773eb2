import torch
import torch_xla

gpu = None
device = torch_xla.device()
other = torch_xla.device()
maybe = torch_xla.device() if gpu is not None else torch.device("cpu")
asked = torch_xla.device() if input() else torch_xla.device()
