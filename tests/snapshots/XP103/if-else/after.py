import torch
import torch_xla

if torch.cuda.is_available():
    device = "xla"
else:
    device = "cpu"
x = torch.zeros(3).to(device)
