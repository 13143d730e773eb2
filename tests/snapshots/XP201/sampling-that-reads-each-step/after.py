import torch
import torch_xla
from torch import nn


@torch.no_grad()
def follow(model, frames):
    state = None
    for i in range(len(frames)):
        state, shown = model(frames[i].cuda(), state)
        torch_xla.sync()
        print(shown.cpu().numpy().shape)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x, state):
        out = self.layer(x)
        return (out if state is None else out + state), out * 2


follow(Net().cuda(), torch.randn(5, 1, 4))
