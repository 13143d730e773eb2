import torch
from torch import nn

torch.save({"model": nn.Linear(2, 2)}, "model.pt")
model = torch.load("model.pt")["model"]
model.cuda().eval()
print(model(torch.ones(1, 2).cuda()).sum().item())
