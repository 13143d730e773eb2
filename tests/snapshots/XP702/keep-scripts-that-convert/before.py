import torch

from models import Net

net = Net()
state = torch.load("backbone.pt", map_location="cpu")
net.backbone.load_state_dict({name.removeprefix("module."): value for name, value in state.items()})
torch.save(net.state_dict(), "net.pt")
torch.save(torch.nn.Linear(2, 2).half().state_dict(), "small.pt")
