import torch
from torch import nn

device = torch.device("cuda")
net = nn.Linear(4, 4)
torch.jit.script(net).save("scripted.pt")
moved = torch.jit.script(nn.Linear(4, 4)).to(device)
torch.jit.save(moved.cpu(), "model.pt")
host = torch.jit.load("model.pt", map_location="cpu").to(torch.float64)
image = open("image.png")
image.save("copy.png")
print(torch.ones(3).to(device))
