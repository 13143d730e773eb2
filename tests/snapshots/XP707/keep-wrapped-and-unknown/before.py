import torch
from torch import nn

from models import Other


class Net(nn.Module):
    def forward(self, x):
        return x


class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.module = Net()


class Derived(Other):
    pass


wrapped = nn.parallel.DistributedDataParallel(Net().to("xla"))
wrapped.module.state_dict()
model = Net()
if torch.cuda.device_count() > 1:
    model = nn.DataParallel(model)
model.module.state_dict()
Own().module
own = Own()
own.module.state_dict()
derived = Derived()
derived.module.state_dict()
asked = Net()
state = asked.module.state_dict() if hasattr(asked, "module") else asked.state_dict()
try:
    asked.module.state_dict()
except AttributeError:
    asked.state_dict()


def save(model):
    return model.module.state_dict()
