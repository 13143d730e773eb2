import torch_xla.core.xla_model as xm
from torch import nn

from config import settings

model = nn.Linear(4, 2).cuda()
xm.save({"model": model.state_dict(), "config": settings}, "a.pt")
xm.save((model.state_dict(), 3), "b.pt")
