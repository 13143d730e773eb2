import torch
from torch import nn

torch.set_default_dtype(torch.float64)
net = nn.Linear(3, 3).cuda()
places = torch.zeros(2, 3).cuda().type(torch.float64)
print(net(places).sum())
