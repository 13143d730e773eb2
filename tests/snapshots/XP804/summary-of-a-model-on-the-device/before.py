import torch
from torchsummary import summary

model = torch.nn.Linear(3, 3)
summary(model, (3, 3), device="cpu")
model.to("cuda")
summary(model, (3, 3))
