import torch

device = torch.device("cuda")
a = torch.FloatTensor(2, 3).to(device).fill_(0)
b = torch.LongTensor([1, 2]).to(device)
