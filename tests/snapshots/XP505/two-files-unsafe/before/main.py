import torch
from net import Net

model = Net().to("cuda")
print(model(torch.ones(2, 4, device="cuda").half()))
