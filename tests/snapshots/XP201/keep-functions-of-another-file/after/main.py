import torch

from tools import count, evaluate, parameters_of
from net import Net

model = Net().cuda()
names = ["a", "b"]
for name in names:
    print(name, count(model), evaluate(name))
for p in parameters_of(model):
    p.requires_grad_(False)
