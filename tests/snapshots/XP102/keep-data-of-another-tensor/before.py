import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 2).to(device)
saved = {name: p.detach().cpu() for name, p in model.named_parameters()}
for name, p in model.named_parameters():
    p.data = saved[name].to(device)
    p.data = p.data.to(torch.float32)
    p.data = p.data.to("cpu")
