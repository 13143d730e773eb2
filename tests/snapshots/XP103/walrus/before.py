import torch

x = torch.zeros(3, device=(device := "cuda"))
