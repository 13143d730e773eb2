import torch

model = torch.nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters())
model.to("cpu")
model.to(torch.device("cpu"))
