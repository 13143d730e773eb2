from torch import nn
from torch.nn.utils import remove_weight_norm, weight_norm


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.convs = nn.ModuleList([weight_norm(nn.Conv1d(width, width, 3, padding=1)) for _ in range(2)])

    def forward(self, x):
        for conv in self.convs:
            x = x + conv(x)
        return x

    def remove_weight_norm(self):
        for conv in self.convs:
            remove_weight_norm(conv)


class Vocoder(nn.Module):
    def __init__(self, width):
        super().__init__()
        kind = Block
        self.first = weight_norm(nn.Conv1d(80, width, 7))
        self.blocks = nn.ModuleList()
        for _ in range(3):
            self.blocks.append(kind(width))

    def forward(self, x):
        x = self.first(x)
        for block in self.blocks:
            x = block(x)
        return x

    def remove_weight_norm(self):
        for block in self.blocks:
            block.remove_weight_norm()
        remove_weight_norm(self.first)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = weight_norm(nn.Conv1d(80, 1, 7))

    def forward(self, x):
        return self.first(x)

    def remove_weight_norm(self):
        remove_weight_norm(self.first)
