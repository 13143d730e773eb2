import torch

first = torch.zeros(3).to("cuda:0")
second = torch.zeros(3).to("cuda:1")
third = "cuda:2"
torch.zeros(3, device=third)
