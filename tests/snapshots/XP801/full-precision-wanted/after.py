import torch

torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cuda.matmul.fp32_precision = "ieee"
