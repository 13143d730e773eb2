import torch

if has_gpu := torch.cuda.is_available():
    print(has_gpu)
