import torch

kwargs = {"num_workers": 4}
dtype = torch.float16 if torch.cuda.is_available() else torch.float32
n = 1 + 2
f = max(2, 1)
