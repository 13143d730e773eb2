import torch

x = torch.zeros(3)
y = x.to("cuda", non_blocking=True)
z = x
