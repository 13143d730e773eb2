import torch
import torch_xla.utils.checkpoint
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([nn.Linear(4, 4) for _ in range(4)])

    def forward(self, x):
        x = torch_xla.utils.checkpoint.checkpoint(self.blocks[0], x)
        x = torch_xla.utils.checkpoint.checkpoint(self.blocks[1], x, use_reentrant=True, preserve_rng_state=False)
        x = torch_xla.utils.checkpoint.checkpoint(self.blocks[2], x)
        x = torch.utils.checkpoint.checkpoint(self.blocks[3], x, determinism_check="none")
        return x


net = Net().to("cuda")
