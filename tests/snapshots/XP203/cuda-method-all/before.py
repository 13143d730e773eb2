import torch

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters())
model.cuda()
