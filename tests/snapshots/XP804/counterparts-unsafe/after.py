import torch
from apex.optimizers import FusedAdam

norm = torch.nn.LayerNorm(64, eps=1e-5)
optimizer = FusedAdam(norm.parameters(), lr=1e-3)
