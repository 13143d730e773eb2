import torch

if torch.cuda.is_available():
    torch.backends.cudnn.benchmark = True
print("go")
