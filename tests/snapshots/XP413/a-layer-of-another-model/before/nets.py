from torch import nn


class Recurrent(nn.Module):
    """Another model: the batches of classify.py never come here."""

    def __init__(self):
        super().__init__()
        self.cells = nn.GRU(4, 4)

    def forward(self, x):
        return self.cells(x)[0]


class Pointwise(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1, 2)

    def forward(self, x):
        return self.layer(x[..., None])


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Conv1d(1, 2, 3, padding=1)

    def forward(self, x):
        return self.mix(x[:, None])


class Mixed(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        return self.block(x)
