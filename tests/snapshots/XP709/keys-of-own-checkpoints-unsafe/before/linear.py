import sys

import torch
from torch import nn

model = nn.Linear(4, 2).cuda()
model.load_state_dict(torch.load(sys.argv[1], map_location="cpu")["model"])
