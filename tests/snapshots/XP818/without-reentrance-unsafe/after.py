from torch import nn
from torch.utils.checkpoint import checkpoint
import torch_xla.utils.checkpoint


class Net(nn.Module):
    def __init__(self, reentrant):
        super().__init__()
        self.block = nn.Linear(4, 4)
        self.reentrant = reentrant

    def forward(self, x, options):
        x = torch_xla.utils.checkpoint.checkpoint(self.block, x)
        x = torch_xla.utils.checkpoint.checkpoint(self.block, x)
        return checkpoint(self.block, x, **options)


net = Net(False).to("cuda")
