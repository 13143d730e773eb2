import torch

from models import Net

net = Net()
state = torch.load("backbone.pt", map_location="cpu")
net.backbone.load_state_dict({name.removeprefix("module."): value for name, value in state.items()})
torch.save(net.state_dict(), "net.pt")
