import torch
from torch import nn
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true")
args = parser.parse_args()
use_cuda = not args.no_cuda and torch.cuda.is_available()
device = torch.device("cuda" if use_cuda else "cpu")


class Layer(nn.Linear):
    def __init__(self, size, device=None):
        super().__init__(size, size, device=device)
        self.opt = torch.optim.Adam(self.parameters())


class Other(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)
        self.to(device)
        self.opt = torch.optim.Adam(self.parameters())


Layer(4).to(device)
Other().to(device)
