import torch
from torch import nn

from config import settings

model = nn.Linear(4, 2).cuda()
torch.save({"model": model.state_dict(), "config": settings}, "a.pt")
torch.save((model.state_dict(), 3), "b.pt")
