import torch
import torch_xla
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x)

    def get_optimizer(self):
        groups = []
        self.to(torch_xla.device())
        for key, value in dict(self.named_parameters()).items():
            groups += [{"params": [value], "lr": 0.2 if "bias" in key else 0.1}]
        self.optimizer = torch.optim.SGD(groups)
        return self.optimizer
