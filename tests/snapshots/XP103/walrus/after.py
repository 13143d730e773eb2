import torch
import torch_xla

x = torch.zeros(3, device=(device := "xla"))
