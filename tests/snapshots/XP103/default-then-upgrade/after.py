import torch
import torch_xla

device = "cpu"
if torch.cuda.is_available():
    device = "xla"
x = torch.zeros(3).to(device)
