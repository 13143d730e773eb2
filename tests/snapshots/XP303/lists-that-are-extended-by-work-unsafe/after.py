"""A list that is extended by what a pass computes behind the barrier."""

import numpy as np
import torch
import torch_xla
from torch import nn

net = nn.Linear(4, 3).to("xla")
outs, shares = [], []
with torch.no_grad():
    for x in torch.ones(8, 2, 4):
        out = net(x.to("xla"))
        outs += [out]
        shares += [nn.functional.softmax(out, 1)]
        torch_xla.sync()
print(np.concatenate([np.asarray(out.cpu()) for out in outs]), np.concatenate([np.asarray(value.cpu()) for value in shares]))
