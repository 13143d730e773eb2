import torch

model = torch.nn.Linear(2, 2)
model.cuda()
optimizer = torch.optim.Adam(model.parameters())
