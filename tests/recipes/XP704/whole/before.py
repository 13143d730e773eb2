import torch
import torch_xla

device = torch_xla.device()
net = torch.load("net.pt", weights_only=False)
print(net(torch.ones(1, 8).to(device)).shape)
