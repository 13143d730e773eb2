"""Objects hold what a list takes as well, and change it later on: the list gets copies."""

import torch
from torch import nn
from torch.utils.data import DataLoader

device = torch.device("xla")
loader = DataLoader(torch.zeros(8, 4), batch_size=2)


class Trainer:
    def __init__(self):
        self.model = nn.Linear(4, 1).to(device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.metrics = {}

    def annotated(self):
        losses = []
        for x in loader:
            loss = self.model(x.to(device)).mean()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
            self.last: torch.Tensor = loss
        print(losses)

    def by_keyword(self):
        losses = []
        for x in loader:
            loss = self.model(x.to(device)).mean()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
            self.metrics.update(loss=loss)
        print(losses)

    def by_another_name(self):
        losses = []
        for x in loader:
            loss = self.model(x.to(device)).mean()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
            last = loss.detach()
            self.last = last
        print(losses)

    def by_the_name_before(self):
        losses = []
        for x in loader:
            mean = self.model(x.to(device)).mean()
            loss = mean
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
            self.last = mean
        print(losses)

    def in_a_list(self):
        losses, kept = [], []
        for x in loader:
            loss = self.model(x.to(device)).mean()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
            kept += [loss]
        print(losses)
        for value in kept:
            value.zero_()

    def changed_by_keyword(self):
        losses = []
        for x in loader:
            loss = self.model(x.to(device)).mean()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
            nn.init.zeros_(tensor=loss.data)
        print(losses)

    def by_itself(self):
        losses = []
        for x in loader:
            loss = self.model(x.to(device)).mean()
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        print(losses)
