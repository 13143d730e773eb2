import torch

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters())
model.to(torch.float16)
model.to(dtype=torch.float16)
