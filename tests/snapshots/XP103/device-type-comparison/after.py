import torch

device = torch.device("cuda")
if device.type == "xla":
    print("accelerated")
x = torch.zeros(3)
if x.device.type != "xla":
    print("on the host")
