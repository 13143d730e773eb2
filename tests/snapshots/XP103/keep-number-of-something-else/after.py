import torch

torch.zeros(0)
torch.ones(3).sum(0)
x = torch.ones(3, device=torch.device("cpu"))
queue = open("x")
queue.to(0)
