import copy

import pandas as pd
import torch
from torch import nn


class Grid:
    def stride(self):
        return 2

    def storage(self):
        return self


device = torch.device("cuda")
model = nn.Conv2d(4, 4, 3, stride=2).to(device)
table = pd.DataFrame({"a": [1]}).rename(columns={"a": "b"})
grid = Grid()
print(grid.stride(), grid.storage(), model.stride, copy.copy(model), table, copy.deepcopy(torch.rand(4, device=device)))
