import numpy as np


class Generator:
    def __init__(self, device):
        self.device = device


Generator(device="cuda")
np.random.Generator(np.random.PCG64())
