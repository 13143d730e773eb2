import torch


def attend(self):
    q = torch.zeros(3)
    is_cuda = q.is_cuda
    return self.fast if is_cuda else self.slow
