import torch

device = torch.device("cuda")
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters())
model.to(device)
