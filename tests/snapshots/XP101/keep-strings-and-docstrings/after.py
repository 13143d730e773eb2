"""Use torch.device("cuda") on a GPU."""

import torch

print('torch.device("cuda") is not used here')
