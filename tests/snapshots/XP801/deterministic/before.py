import torch

torch.backends.cudnn.deterministic, x = True, 1
torch.backends.cudnn.deterministic = torch.backends.cudnn.benchmark = True
