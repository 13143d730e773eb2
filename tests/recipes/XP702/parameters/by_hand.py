import torch
import torch_xla
import torch_xla.core.xla_model as xm

from torch import nn

device = torch_xla.device()
net = nn.Linear(8, 1).to(device)
xm.save([p.data for p in net.parameters()], "net.pt")
print(net.weight.shape)
