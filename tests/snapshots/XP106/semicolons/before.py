import torch

torch.manual_seed(0); torch.cuda.manual_seed(0)
x = 1
