import torch

x = torch.zeros(3)
if x.is_xla:
    print("fast")
device = torch.device("cuda" if x.is_xla else "cpu")
