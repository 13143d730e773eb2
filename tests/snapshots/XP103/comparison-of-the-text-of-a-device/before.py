import torch

device = torch.device("cuda")
if "cuda" in str(device) or str(device) == "cuda":
    print("yes")
