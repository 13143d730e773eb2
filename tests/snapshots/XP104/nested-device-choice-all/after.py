import torch
import torch_xla

device = torch_xla.device()
other = torch.device("mps" if torch.backends.mps.is_available() else "xla")
