import torch

x = torch.zeros(3)
y = torch.ones(3)
y = y.to("cpu")
