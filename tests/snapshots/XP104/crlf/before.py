import torch

if torch.cuda.is_available():
    print(1)
    print(2)
