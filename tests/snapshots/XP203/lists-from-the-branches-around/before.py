import torch
from torch import nn


class Grown(nn.Module):
    def __init__(self, project):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)
        params = list(self.body.parameters())
        if project:
            self.project = nn.Linear(4, 4)
            params += list(self.project.parameters())
        self.optimizer = torch.optim.Adam(params, lr=0.1)
        chosen = []
        for name, parameter in self.head.named_parameters():
            chosen.append(parameter)
        if project:
            self.head_optimizer = torch.optim.Adam(chosen, lr=0.1)
        else:
            self.head_optimizer = torch.optim.SGD(chosen, lr=0.1)
