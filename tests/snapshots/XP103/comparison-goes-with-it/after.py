import torch
import torch_xla

device = "xla"
if device == "xla":
    print("fast")
if device in ("xla", "mps"):
    print("faster")
if "xla" in device:
    print("fastest")
x = torch.zeros(3).to(device)
