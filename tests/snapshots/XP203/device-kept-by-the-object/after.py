import torch
from torch import nn, optim


class Network(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
        self.to(self.device)
        self.optimizer = optim.Adam(self.parameters(), lr=rate)
        self.loss = nn.MSELoss()


class Agent:
    def __init__(self, args):
        self.net = nn.Linear(4, 2)
        self.device = torch.device("cuda" if args.cuda else "cpu")
        self.net.to(self.device)
        self.optimizer = optim.Adam(self.net.parameters(), lr=args.rate)


class Adversaries:
    def __init__(self, args):
        self.G = nn.Linear(4, 2)
        self.D = nn.Linear(2, 1)
        self.on_gpu = args.cuda
        if self.on_gpu:
            self.G.cuda()
            self.D.cuda()
        self.G_optimizer = optim.Adam(self.G.parameters(), lr=args.rate)
        self.D_optimizer = optim.Adam(self.D.parameters(), lr=args.rate)
