import torch

fast = [x for x in range(3) if torch.cuda.is_available()]
some = {x: 1 for x in range(3) if x and torch.cuda.is_available()}
