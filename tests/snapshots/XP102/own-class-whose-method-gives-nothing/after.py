import torch
import torch_xla


class Sampler:
    def __init__(self, count):
        self.chances = torch.ones(count)

    def cuda(self):
        self.chances = self.chances.to(torch_xla.device())


def move(batch, kept):
    first, second = batch["x"].to(torch_xla.device()), batch["y"].to(torch_xla.device())
    total = kept.best.to(torch_xla.device()) + first.sum()
    kept.sampler.cuda()
    return total, second
