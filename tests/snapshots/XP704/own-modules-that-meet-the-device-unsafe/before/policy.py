import torch.nn as nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(4, 2)

    def act(self, x):
        return self.base(x)
