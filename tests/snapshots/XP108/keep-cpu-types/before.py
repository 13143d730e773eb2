import torch

x = torch.FloatTensor(3)
y = torch.zeros(3).type(torch.LongTensor)
z = x.type(torch.float32)
