import sys

import torch
from elsewhere import Other
from torch import nn


class Small(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 1)
        self.optimizer = torch.optim.SGD(self.parameters(), lr=0.1)


class Large(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 1)
        self.optimizer = torch.optim.SGD(self.layer.parameters(), lr=0.1)


kind = Small if "small" in sys.argv else Large
one = kind()
one.to("cuda")
NETS = {"small": Small, "large": Large}
two = NETS[sys.argv[1]]()
two.cuda()
unknown = (Small if two else Other)()
unknown.cuda()
