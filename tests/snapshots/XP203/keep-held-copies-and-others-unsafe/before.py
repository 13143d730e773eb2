import copy

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel


class Distance(nn.Module):
    """Looks at a model, and keeps none of it."""

    def __init__(self, model):
        super().__init__()
        self.size = model.weight.numel()


class Copy(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = copy.deepcopy(model)


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
average = AveragedModel(model)
average.to("cuda")
distance = Distance(model)
distance.to("cuda")
other = Copy(model)
other.cuda()
net = model
net = nn.Linear(4, 1)
net.cuda()
held = nn.DataParallel(model)
held = nn.Linear(4, 1)
held.cuda()
loader = [{"params": model.groups()}]
