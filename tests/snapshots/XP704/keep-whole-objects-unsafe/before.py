import argparse

import torch
from torch import nn, optim

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
args = parser.parse_args()

model = nn.Linear(4, 2)
if args.cuda:
    model.to("cuda")
with open("best.pt", "rb") as file:
    model = torch.load(file, weights_only=False)
model.eval()


def evaluate(batch):
    net.eval()
    return net(batch.cuda())


def resume(path):
    global net, criterion, optimizer
    with open(path, "rb") as file:
        net, criterion, optimizer = torch.load(file, weights_only=False)


net = nn.Linear(4, 2)
criterion = nn.MSELoss()
resume("old.pt")
net = net.cuda()
criterion = criterion.cuda()
resume("best.pt")


class Workspace:
    def load_snapshot(self):
        with open("snapshot.pt", "rb") as file:
            payload = torch.load(file, weights_only=False)
        for k, v in payload.items():
            self.__dict__[k] = v

    def load_all(self):
        self.__dict__.update(torch.load("all.pt", weights_only=False))

    def load_parts(self):
        for name, part in torch.load("parts.pt", weights_only=False).items():
            setattr(self, name, part)


def agent_of(path):
    agent = torch.load(path, weights_only=False)["agent"]
    agent.train(False)
    return agent


trained = optim.SGD(net.parameters(), lr=0.1)
trained = torch.load("optimizer.pt", weights_only=False)
trained.zero_grad()
