import numpy as np
import torch
import torch_xla
from torch import nn

to_numpy = lambda x: x.data.cpu().numpy()


def scores(loader):
    net, found = nn.Linear(4, 3).cuda().eval(), []
    with torch.no_grad():
        for x in loader:
            output = net(x.cuda())
            best = to_numpy(output.max(1).values)
            torch_xla.sync()
            found.append(best)
    return np.concatenate(found)


print(scores([torch.rand(2, 4) for _ in range(4)]))
