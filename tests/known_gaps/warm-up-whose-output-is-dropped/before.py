import torch
from torch import nn


class Runner(nn.Module):
    def __init__(self, device):
        super().__init__()
        self.device = device
        self.model = nn.Linear(64, 64).to(device)

    def forward(self, images):
        return self.model(images)

    def warm_up(self, *shape):
        images = torch.empty(*shape, device=self.device)
        for _ in range(2):
            self.forward(images)


@torch.no_grad()
def main():
    runner = Runner(torch.device("cuda"))
    runner.warm_up(2, 64)
    for images in [torch.randn(2, 64) for _ in range(3)]:
        print(runner(images.to(runner.device)).sum().item())


main()
