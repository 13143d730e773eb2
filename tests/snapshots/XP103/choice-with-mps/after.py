import torch
import torch_xla

device = "mps" if torch.backends.mps.is_available() else "xla"
x = torch.zeros(3).to(device)
