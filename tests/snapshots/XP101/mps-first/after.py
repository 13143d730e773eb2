import torch
import torch_xla

if torch.backends.mps.is_available():
    device = torch.device("mps")
elif torch.cuda.is_available():
    device = torch_xla.device()
else:
    device = torch.device("cpu")
