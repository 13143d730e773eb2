import numpy as np
import torch
import torch_xla


def noise(mu):
    device = torch_xla.device() if mu.is_xla else torch.device("cpu")
    return torch.FloatTensor(np.random.normal(0, 1, mu.shape)).to(device) + mu
