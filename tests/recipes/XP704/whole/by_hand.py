import torch
import torch_xla

device = torch_xla.device()
net = torch.load("net.pt", map_location="cpu", weights_only=False)
net.to(device)
print(net(torch.ones(1, 8).to(device)).shape)
