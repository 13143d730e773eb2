import torch
from torch import nn

model = nn.Linear(4, 1).to("xla")
out = model(torch.zeros(2, 4).to("xla"))
loss, penalty = out.mean(), out.pow(2).mean()
pair = loss.item(), penalty.item()
(a, b) = both = loss.item(), penalty.item()
print("%f %f" % pair, {both: a}, b)
