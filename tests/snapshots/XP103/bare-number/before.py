import torch

model = torch.nn.Linear(2, 2).to(0)
x = torch.zeros(3, device=0)
