import torch
import torch_xla
from torch import nn

device = torch_xla.device()
from torch.utils.checkpoint import checkpoint


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = nn.Linear(8, 8)

    def forward(self, x, options):
        return checkpoint(self.block, x, **options)


net = Net().to(device)
x = torch.ones(4, 8).to(device).requires_grad_()
loss = net(x, {"use_reentrant": True}).sum()
loss.backward()
print(f"{net.block.weight.grad.sum().item():.5f}")
