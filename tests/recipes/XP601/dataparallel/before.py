import torch
import torch_xla

from torch import nn

device = torch_xla.device()
model = nn.DataParallel(nn.Linear(8, 1)).to(device)
out = model(torch.ones(4, 8).to(device))
print(out.shape, model.module.weight.shape)
