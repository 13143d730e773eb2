import torch

device = torch.device("cuda")
x = torch.FloatTensor(3).to(device)
