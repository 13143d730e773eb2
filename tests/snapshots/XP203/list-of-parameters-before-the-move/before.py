import torch
from torch import nn

model = nn.Linear(2, 2)
params = [p for p in model.parameters() if p.requires_grad]
model.cuda()
optimizer = torch.optim.SGD(params, lr=0.1)
