import torch

torch.cuda.manual_seed(1)
torch.cuda.manual_seed_all(1)
