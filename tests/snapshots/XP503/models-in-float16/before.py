import torch
from torch import nn

model = nn.Linear(4, 2).cuda().half()
scaler = torch.cuda.amp.GradScaler()
