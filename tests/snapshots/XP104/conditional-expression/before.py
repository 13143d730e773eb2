import torch

kwargs = {"num_workers": 4} if torch.cuda.is_available() else {}
dtype = torch.float16 if torch.cuda.is_available() else torch.float32
n = 1 + (2 if torch.cuda.is_available() else 3)
f = max(2 if torch.cuda.is_available() else 3, 1)
