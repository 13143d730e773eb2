import torch
import torch_xla


class Sampler:
    def __init__(self, count):
        self.chances = torch.ones(count)

    def cuda(self):
        self.chances = self.chances.to(torch_xla.device())
