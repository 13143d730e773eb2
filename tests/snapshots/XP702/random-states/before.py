import random

import torch
from torch import nn

model = nn.Linear(4, 2).cuda()
torch.save({"model": model.state_dict(), "random": random.getstate()}, "c.pt")
torch.save(random.getstate(), "random.pt")
