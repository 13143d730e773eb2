import torch
import torch_xla

device = "xla"
if device.startswith("xla"):
    print("gpu")
x = torch.zeros(3).to(device)
