import torch

torch.manual_seed(1)
torch.cuda.manual_seed(2)
