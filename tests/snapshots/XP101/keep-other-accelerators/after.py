import torch

mps = torch.device("mps")
xpu = torch.device("xpu:0")
