from torch import nn
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self, reentrant):
        super().__init__()
        self.block = nn.Linear(4, 4)
        self.reentrant = reentrant

    def forward(self, x, options):
        x = checkpoint(self.block, x, use_reentrant=False)
        x = checkpoint(self.block, x, use_reentrant=self.reentrant)
        return checkpoint(self.block, x, **options)


net = Net(False).to("cuda")
