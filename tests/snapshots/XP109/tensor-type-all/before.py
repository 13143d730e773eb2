import numpy as np
import torch


def noise(mu):
    Tensor = torch.cuda.FloatTensor if mu.is_cuda else torch.FloatTensor
    return Tensor(np.random.normal(0, 1, mu.shape)) + mu
