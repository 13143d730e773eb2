import torch
import torch_xla

from torch import nn

device = torch_xla.device()
model = torch.jit.script(nn.Linear(8, 1).to(device))
model.cpu()
torch.jit.save(model, "model.pt")
model.to(device)
print(model(torch.ones(4, 8).to(device)).shape)
