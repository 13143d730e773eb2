import torch

device = torch.device("cuda")
Tensor = torch.cuda.FloatTensor
x = Tensor(3)
