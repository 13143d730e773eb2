import io

import torch
from torch import nn

model = nn.Linear(4, 2).cuda()
buffer = io.BytesIO()
torch.save(model.state_dict(), buffer)
buffer.seek(0)
twin = nn.Linear(4, 2).cuda()
twin.load_state_dict(torch.load(buffer))
