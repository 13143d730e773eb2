import torch

a = torch.cuda.amp.GradScaler(enabled=False)
b = torch.amp.GradScaler("cuda", enabled=False)
