import random

import torch


class Schedule:
    def __init__(self, values: torch.Tensor):
        self.values = values
        self.asked = 0

    def weight(self, step):
        self.asked += 1
        start = random.randint(0, 900)
        return self.values[step] + self.values[start : start + 8].mean() + self.values[self.asked]
