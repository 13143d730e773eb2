import torch
from torch import nn


class Grown(nn.Module):
    def __init__(self, project):
        super().__init__()
        self.body = nn.Linear(4, 4)
        params = list(self.body.parameters())
        if project:
            self.project = nn.Linear(4, 4)
            params += list(self.project.parameters())
        self.optimizer = torch.optim.Adam(params, lr=0.1)


class Later(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        params = list(self.body.parameters())
        self.project = nn.Linear(4, 4)
        params += list(self.project.parameters())
        self.optimizer = torch.optim.Adam(params, lr=0.1)

    def move(self):
        self.body.cuda()
        self.project.cuda()


Grown(True).cuda()
Later().move()
