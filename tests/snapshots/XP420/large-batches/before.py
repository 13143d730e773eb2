import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--rows", type=int, default=16 * 1024)
parser.add_argument("--few", type=int, default=512)
args = parser.parse_args()
model = nn.Linear(4, 2).cuda()
opt = torch.optim.SGD(model.parameters(), lr=0.1)


def fit(x, size):
    total = 0.0
    for i in DataLoader(range(len(x)), size, shuffle=True):
        loss = model(x[i].cuda()).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += float(loss) * len(i)
    return total / len(x)


print(fit(torch.load("rows.pt"), args.rows))
for x in DataLoader(torch.load("few.pt"), args.few, shuffle=True):
    loss = model(x.cuda()).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
