import torch

while torch.cuda.is_available():
    break
