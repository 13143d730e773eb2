import argparse

import torch
import torch_xla
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

parser = argparse.ArgumentParser()
parser.add_argument("--size", default=16, type=int)
parser.add_argument("--name", default="run")
parser.add_argument("--marks", default=[1, 2])
args = parser.parse_args()


def batches(size, name, marks):
    marks.append(len(name))
    return DataLoader(TensorDataset(torch.randn(64, 4), torch.randint(0, 3, (64,))), batch_size=size, drop_last=True)


device = torch_xla.device()
net = nn.Linear(4, 3).to(device)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for n, (x, y) in enumerate(batches(args.size, args.name, args.marks)):
    x, y = x.to(device), y.to(device)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(f"{args.name}: {n}/{args.size} {loss.item():.4f}")
for n, (x, y) in enumerate(batches(args.size, args.name, args.marks)):
    x, y = x.to(device), y.to(device)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(x), y)
    loss.backward()
    optimizer.step()
    torch_xla.sync()
    print(args.marks, n, loss.item())
