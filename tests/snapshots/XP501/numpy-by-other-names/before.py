import numpy as np
import torch


class Noise:
    def __init__(self):
        self.draw = np.random.RandomState(0).normal

    def sample(self, size):
        return torch.as_tensor(self.draw(size=size)).cuda()


def as_floats(rows):
    return np.asarray(rows).astype(np.float64)


targets = torch.from_numpy(as_floats([1, 2])).cuda()
wide = torch.ones(3, dtype=torch.float64)
moved = wide.view(3, 1).cuda()
