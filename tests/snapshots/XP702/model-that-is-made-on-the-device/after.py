import torch
import torch_xla.core.xla_model as xm
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)
        self.place()

    def place(self):
        self.to("xla")


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)


net = Net()
xm.save(net.state_dict(), "net.pt")
with torch.device("xla"):
    other = Plain()
xm.save(other.state_dict(), "other.pt")
plain = Plain()
torch.save(plain.state_dict(), "plain.pt")
