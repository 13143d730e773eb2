import torch
import torch_xla

from torch import nn

device = torch_xla.device()
net = nn.Linear(8, 1).to(device)
torch.save(list(net.parameters()), "net.pt")
print(net.weight.shape)
