import torch

device = torch.device("cuda")
model = torch.nn.Linear(2, 2)
model.to(device)
optimizer = torch.optim.Adam(model.parameters())
