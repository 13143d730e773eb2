import torch

device = "cuda"
x = torch.zeros(3, device=device)
y = x.to("cuda:0")
