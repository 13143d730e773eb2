import torch


class Stats:
    precision = torch.float64

    def norm(self, x):
        return x.to(self.precision).norm()


class Single(Stats):
    precision = torch.float32


class Exact(Single):
    def __init__(self):
        self.precision = torch.float64


x = torch.ones(3).cuda()
print(Exact().norm(x))
