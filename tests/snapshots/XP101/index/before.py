import torch

first = torch.device("cuda:0")
second = torch.device("cuda", 1)
third = torch.device(type="cuda", index=2)
