import torch
import torch_xla
from torch import nn


class Trainer:
    def __init__(self, lr):
        self.device = torch.device("cuda")
        self.model = nn.Linear(2, 2)
        self.model.to(self.device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr)

    def train(self):
        self.model.to(self.device)
        self.model.train()


class Other:
    def __init__(self, model):
        self.model = model
        self.build()
        self.model.cuda()

    def build(self):
        self.model.to(torch_xla.device())
        params = [p for p in self.model.parameters() if p.requires_grad]
        self.optimizer = torch.optim.SGD(params, lr=0.1)


class Third:
    def __init__(self, model, device):
        self.model = model
        self.place(device)
        self.build()

    def place(self, device):
        self.model = self.model.to(device)

    def build(self):
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)


trainer = Trainer(0.1)
trainer.train()
Other(nn.Linear(2, 2))
Third(nn.Linear(2, 2), torch.device("cuda"))
