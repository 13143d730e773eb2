from torch import nn
from torch.nn.utils import remove_weight_norm, weight_norm
import torch


class LoweredWeightNorm:
    """weight_norm(), with the weight computed by operations that XLA has a kernel for."""

    def __init__(self, name, dim):
        self.name, self.dim = name, dim

    def __call__(self, module):
        direction = getattr(module, self.name + "_v")
        length = torch.norm_except_dim(direction, 2, -1 if self.dim is None else self.dim)
        return direction * (getattr(module, self.name + "_g") / length)

    @staticmethod
    def apply(module, name="weight", dim=0):
        torch.nn.utils.weight_norm(module, name, dim)
        for hook in module._forward_pre_hooks.values():
            if getattr(hook, "name", None) == name:
                hook.compute_weight = LoweredWeightNorm(name, dim)
        return module


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
        self.first = LoweredWeightNorm.apply(nn.Conv1d(80, 1, 7))

    def forward(self, x):
        return self.first(x)

    def remove_weight_norm(self):
        remove_weight_norm(self.first)
