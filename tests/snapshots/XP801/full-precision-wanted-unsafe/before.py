import torch

torch.backends.cuda.matmul.allow_tf32 = False
