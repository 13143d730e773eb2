import torch

model = torch.jit.load("scripted.pt")
print(model(torch.zeros(1, 4)))
