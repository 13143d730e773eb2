"""What nobody holds is not computed: behind a warm-up, there is nothing to run."""

import torch
from torch import nn


class Backend(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = nn.Linear(4, 4)

    def forward(self, x):
        return self.model(x)

    def warm_up(self, times):
        x = torch.zeros(2, 4, device="xla")
        for _ in range(times):
            self.forward(x)


@torch.no_grad()
def main():
    backend = Backend().to("xla")
    for _ in range(3):
        backend(torch.zeros(2, 4, device="xla"))
    backend.warm_up(2)


main()
