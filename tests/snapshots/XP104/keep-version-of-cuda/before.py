import torch

if torch.version.cuda and torch.cuda.is_available():
    print("fast")
tf32 = torch.cuda.is_available() and torch.version.cuda >= "11.0"
