import torch

x = torch.zeros(3).to("cpu")
y = torch.zeros(3, device="cudax")
