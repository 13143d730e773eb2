import torch
import torch_xla

device = torch_xla.device()
model, optimizer = torch.load("both.pt", map_location="cpu", weights_only=False)
model.to(device)
print(model(torch.ones(1, 8).to(device)).shape)
optimizer.zero_grad()
