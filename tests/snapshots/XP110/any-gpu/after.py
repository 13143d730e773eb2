import torch

model = torch.nn.Linear(2, 2)
model.train()
model.eval()
has_gpu = True
flag = True
workers = 4
