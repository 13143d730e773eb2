import torch
from apex.normalization import FusedLayerNorm
from apex.optimizers import FusedAdam

norm = FusedLayerNorm(64, eps=1e-5)
optimizer = FusedAdam(norm.parameters(), lr=1e-3)
