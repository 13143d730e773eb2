import torch

device = torch.device("cuda")
a = torch.cuda.FloatTensor(2, 3).fill_(0)
b = torch.cuda.LongTensor([1, 2])
