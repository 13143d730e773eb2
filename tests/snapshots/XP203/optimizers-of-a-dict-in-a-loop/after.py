import torch
import torch.nn as nn


class Solver(nn.Module):
    def __init__(self):
        super().__init__()
        self.nets = nn.ModuleDict({"g": nn.Linear(2, 2), "d": nn.Linear(2, 2)})
        self.optims = {}
        self.to(torch.device("cuda"))
        for net in self.nets.keys():
            self.optims[net] = torch.optim.Adam(params=self.nets[net].parameters(), lr=0.1)

    def train(self, loader):
        for x in loader:
            loss = self.nets["g"](x.cuda()).mean()
            loss.backward()
            self.optims["g"].step()
