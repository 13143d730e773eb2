import torch

if torch.cuda.is_available() == True:
    print("yes")
