import torch
from torch import nn


def frozen(net: nn.Module, kind: type[nn.BatchNorm2d]) -> list[nn.BatchNorm2d]:
    norms = [module for module in net.modules() if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d))]
    return [module for module in norms if type(module) is nn.BatchNorm2d and module.momentum == torch.inf]
