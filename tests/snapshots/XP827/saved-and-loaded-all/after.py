import torch
import torch_xla
from torch import nn

device = torch_xla.device()
model = torch.jit.script(nn.Linear(4, 4)).to(device)
torch.jit.save(model, "model.pt")
net = nn.Linear(4, 4).to(device)
traced = torch.jit.trace(net, torch.ones(2, 4, device=device))
traced.save("traced.pt")
torch.jit.script(net).save("scripted.pt")

loaded = torch.jit.load("model.pt")
loaded = loaded.to(device)
other = torch.jit.load("model.pt", map_location=device)
third = torch.jit.load("model.pt").eval().to(device)
