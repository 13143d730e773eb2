import torch
from torch import nn

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Trainer:
    def __init__(self):
        self.model = nn.Linear(4, 2)
        self.model.to(device)
        self.optimizer = torch.optim.ASGD(self.model.parameters(), lr=0.1, capturable=True)


def train(args):
    model = nn.Linear(4, 2)
    model = model.cuda()
    for epoch in range(3):
        if epoch == 2:
            optimizer = torch.optim.ASGD(model.parameters(), lr=0.1, capturable=True)
    return optimizer
