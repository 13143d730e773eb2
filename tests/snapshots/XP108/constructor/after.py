import torch

device = torch.device("cuda")
a = torch.empty(2, 3, device=device).fill_(0)
b = torch.LongTensor([1, 2]).to(device)
