import numpy as np
import torch
from torch import nn

net = nn.Linear(4, 3).cuda()
outs, shares = [], []
with torch.no_grad():
    for x in torch.ones(8, 2, 4):
        out = net(x.to("cuda"))
        outs += [np.asarray(out.cpu())]
        shares += [np.asarray(nn.functional.softmax(out, 1).cpu())]
print(np.concatenate(outs), np.concatenate(shares))
