import torch

if hasattr(torch, "xpu") and torch.xpu.is_available():
    print("fast")
if hasattr(torch, "compile"):
    print("compiled")
