import torch
import torch_xla

model = torch.nn.Linear(2, 2)
model.to(torch_xla.device())
optimizer = torch.optim.Adam(model.parameters())
