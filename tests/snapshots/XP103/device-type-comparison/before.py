import torch

device = torch.device("cuda")
if device.type == "cuda":
    print("accelerated")
x = torch.zeros(3)
if x.device.type != "cuda":
    print("on the host")
