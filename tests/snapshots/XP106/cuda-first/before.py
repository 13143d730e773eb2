import torch

torch.cuda.manual_seed(7)
torch.manual_seed(7)
