"""What only a torch from before torch_xla's time runs is said nothing of."""

import torch
import torch.nn.functional as F
from packaging import version
from torch import nn

OLD = version.parse(torch.__version__) < version.parse("1.6")


class Rectified(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Conv2d(3, 3, 1)

    def forward(self, x, grid):
        if torch.__version__ > "1.2.0":
            x = F.grid_sample(x, grid, padding_mode="border", align_corners=True)
        else:
            x = F.grid_sample(x, grid, padding_mode="border")
        if OLD:
            x = F.grid_sample(x, grid, mode="nearest")
        if "1.13" > torch.__version__ or not torch.__version__ >= "1.9":
            x = F.grid_sample(x, grid, align_corners=False)
        if torch.__version__ >= "2.12":
            x = F.grid_sample(x, grid, mode="bicubic")
        return self.layer(x)


model = Rectified().cuda()
