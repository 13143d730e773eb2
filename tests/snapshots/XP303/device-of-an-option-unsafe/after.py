import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args()
args.cuda = not args.no_cuda


class Trainer:
    def __init__(self, args):
        self.args = args
        self.model = nn.Linear(4, 2)
        if args.cuda:
            self.model = self.model.cuda()
        self.criterion = nn.MSELoss()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.loader = DataLoader(torch.rand(16, 4), batch_size=4)

    def train(self):
        device = next(self.model.parameters()).device
        total = torch.tensor([0.0], device=device)
        correct = torch.tensor([0], device=device)
        self.model.train()
        for x in self.loader:
            if self.args.cuda:
                x = x.cuda()
            self.optimizer.zero_grad()
            output = self.model(x)
            loss = self.criterion(output, x[:, :2])
            loss.backward()
            self.optimizer.step()
            total += loss.detach()
            correct += (output > 0).sum()
        print(total.item(), correct.item())

    def train_moved(self):
        total = 0.0
        if self.args.cuda:
            self.model.cuda()
        for x in self.loader:
            if self.args.cuda:
                x = x.cuda()
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(x), x[:, :2])
            loss.backward()
            self.optimizer.step()
            total += loss.item()
        print(total)


trainer = Trainer(args)
trainer.train()
trainer.train_moved()
