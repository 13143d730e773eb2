import torch

device = "cuda"
if device.startswith("cuda"):
    print("gpu")
x = torch.zeros(3).to(device)
