import torch

torch.manual_seed(seed=3)
torch.cuda.manual_seed_all(seed=3)
