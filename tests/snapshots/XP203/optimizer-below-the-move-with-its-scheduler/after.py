import torch
from torch import nn, optim


class Pair:
    def __init__(self, args):
        self.device = torch.device("cpu")
        self.net = nn.Linear(4, 2)
        self.target = nn.Linear(4, 2)
        self.target.load_state_dict(self.net.state_dict())
        self.device = torch.device("cuda")
        self.net.to(self.device)
        self.optimizer = optim.Adam(self.net.parameters(), lr=args.rate)
        self.scheduler = optim.lr_scheduler.StepLR(self.optimizer, args.period)


class Weighted(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        nn.init.xavier_uniform_(self.fc.weight)
        self.loss = nn.CrossEntropyLoss(weight=weight)
        self.fc.to("cuda")
        self.opt = optim.SGD(self.fc.parameters(), lr=0.1)
        self.schedule = optim.lr_scheduler.ExponentialLR(self.opt, 0.9)
