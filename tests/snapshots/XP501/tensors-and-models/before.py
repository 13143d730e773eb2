import torch
from torch import nn

device = torch.device("cuda")
model = nn.Linear(4, 4).to(device)
x = torch.rand(8, 4, device=device)
mean = x.double().mean()
deviation = x.to(torch.float64).std()
total = x.type(torch.DoubleTensor).sum()
empty = torch.zeros(8, dtype=torch.double, device=device)
more = x.new_zeros(4, dtype=torch.float64)
summed = torch.cumsum(x, 0, dtype=torch.float64)
precise = model.double()
