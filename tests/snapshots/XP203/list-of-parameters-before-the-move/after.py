import torch
from torch import nn

model = nn.Linear(2, 2)
model.cuda()
params = [p for p in model.parameters() if p.requires_grad]
optimizer = torch.optim.SGD(params, lr=0.1)
