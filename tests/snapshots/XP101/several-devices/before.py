import torch

first = torch.device("cuda:0")
second = torch.device("cuda:1")
