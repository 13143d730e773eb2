import torch
import torch_xla
import torch_xla.core.xla_model as xm

from torch import nn

device = torch_xla.device()
model = nn.Linear(8, 1).to(device)
xm.save(model.state_dict(), "model.pt")
loaded = nn.Linear(8, 1)
loaded.load_state_dict(torch.load("model.pt", map_location="cpu"))
print(loaded.weight.shape)
