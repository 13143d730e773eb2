import torch

if torch.backends.cudnn.is_available():
    print("cuDNN", torch.backends.cudnn.version())

x = 1 if torch.backends.cudnn.is_available() else 2
