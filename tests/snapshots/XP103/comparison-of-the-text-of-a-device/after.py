import torch

device = torch.device("cuda")
if "xla" in str(device) or str(device) == "cuda":
    print("yes")
