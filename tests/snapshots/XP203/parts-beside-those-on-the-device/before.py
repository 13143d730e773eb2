import torch
from torch import nn


class Transfer(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2).cuda()
        self.heads = [nn.Linear(4, 2).cuda() for _ in range(count)]
        self.head_optimizers = [torch.optim.SGD(self.heads[i].parameters(), lr=0.1) for i in range(count)]
        self.body_optimizer = torch.optim.Adam(self.body.parameters(), lr=0.1)
        self.head_optimizer = torch.optim.Adam(self.head.parameters(), lr=0.1)
        self.alpha = torch.ones(count).cuda() - torch.eye(count).cuda()


class Kept(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 2)
        self.parameters_of_both = list(self.first.parameters())
        self.parameters_of_both += list(self.second.parameters())
        self.optimizer = torch.optim.Adam(self.parameters_of_both, lr=0.1)
        self.other_optimizer = torch.optim.Adam(self.second.parameters(), lr=0.1)
