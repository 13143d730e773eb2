import random

import torch


class Schedule:
    def __init__(self, values: torch.Tensor):
        self.values = values
        self.asked = 0

    def weight(self, step):
        self.asked += 1
        start = random.randint(0, 900)
        return self.values[torch.tensor([step])].squeeze(0) + self.values[torch.arange(self.values.size(0))[start : start + 8]].mean() + self.values[torch.tensor([self.asked])].squeeze(0)
