import torch
from torch import nn

model = nn.Linear(4, 2).to("xla")
first = torch.optim.ASGD(model.parameters(), lr=0.1, capturable=True)
first.load_state_dict(torch.load("first.pt", map_location="cpu"))

checkpoint = torch.load("all.pt", map_location="cpu")
second = torch.optim.Rprop(model.parameters(), lr=0.1, capturable=True)
second.load_state_dict(checkpoint["second"])


class Trainer:
    def __init__(self):
        self.model = nn.Linear(4, 2).to("xla")
        self.optimizer = torch.optim.Rprop(self.model.parameters(), capturable=True)

    def resume(self, state):
        self.optimizer.load_state_dict(state)
