import torch
from torch import nn


class Validation:
    def __init__(self, names):
        self.net = nn.Linear(4, 2).cuda().eval()
        self.results = {name: torch.zeros(8, 1, device="cuda") for name in names}

    @torch.no_grad()
    def run(self, loader):
        for name, index, x in loader:
            self.output = self.net(x.cuda())
            image = self.output.cpu().numpy()
            self.results[name][int(index), 0] += image.mean()


Validation(["a"]).run([("a", str(i), torch.ones(2, 4)) for i in range(8)])
