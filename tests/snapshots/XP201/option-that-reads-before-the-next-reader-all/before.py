import argparse

import numpy as np
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--save", action="store_true")
parser.add_argument("--background", action="store_true")
args = parser.parse_args()
net = nn.Conv2d(3, 4, 1).cuda().eval()
loader = torch.utils.data.DataLoader(torch.zeros(4, 3, 8, 8), batch_size=1)

for i, x in enumerate(loader):
    out = net(x.cuda())
    if args.save:
        np.save(f"{i}.npy", out[0].data.cpu().numpy())
    if args.background:
        pred = out[0].data.max(0)[1].cpu()
    else:
        pred = out[0, :3].data.max(0)[1].cpu()
    print(np.uint8(pred.numpy()).sum())

for i, x in enumerate(loader):
    out = net(x.cuda())
    if args.save:
        np.save(f"{i}.npy", out[0].data.cpu().numpy())
    pred = out[0].data.max(0)[1].cpu()
    print(np.uint8(pred.numpy()).sum())
