import torch

HAS_CUDA = bool(torch.cuda.is_available())
if bool(torch.cuda.is_available()):
    print("fast")
if True == torch.cuda.is_available():
    print("faster")
