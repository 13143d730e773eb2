import torch
from torch import nn


class MovingBatchNorm2d(torch.nn.BatchNorm2d):
    """nn.BatchNorm2d that moves its running averages itself: torch_tpu 0.2 leaves them as they were."""

    def forward(self, input):
        if not self.training or self.running_mean is None:
            return super().forward(input)
        self._check_input_dim(input)
        self.num_batches_tracked.add_(1)
        weight = 1 / self.num_batches_tracked if self.momentum is None else self.momentum
        with torch.no_grad():
            values = input.to(self.running_mean.dtype)
            variance, mean = torch.var_mean(values, [0, *range(2, input.dim())])
            self.running_mean.lerp_(mean, weight)
            self.running_var.lerp_(variance, weight)
        normalize = torch.nn.functional.batch_norm
        return normalize(input, None, None, self.weight, self.bias, True, 0.0, self.eps)



class MovingBatchNorm1d(torch.nn.BatchNorm1d):
    """nn.BatchNorm1d that moves its running averages itself: torch_tpu 0.2 leaves them as they were."""

    def forward(self, input):
        if not self.training or self.running_mean is None:
            return super().forward(input)
        self._check_input_dim(input)
        self.num_batches_tracked.add_(1)
        weight = 1 / self.num_batches_tracked if self.momentum is None else self.momentum
        with torch.no_grad():
            values = input.to(self.running_mean.dtype)
            variance, mean = torch.var_mean(values, [0, *range(2, input.dim())])
            self.running_mean.lerp_(mean, weight)
            self.running_var.lerp_(variance, weight)
        normalize = torch.nn.functional.batch_norm
        return normalize(input, None, None, self.weight, self.bias, True, 0.0, self.eps)


Norm = MovingBatchNorm2d
ROW = (MovingBatchNorm1d, MovingBatchNorm2d)
TYPES = (nn.BatchNorm1d, nn.BatchNorm2d)


class Block(nn.Module):
    norm = MovingBatchNorm2d

    def __init__(self, dimensions):
        super().__init__()
        self.first = self.norm(8)
        self.second = Norm(8)
        self.third = ROW[dimensions - 1](8)
        self.fourth = MovingBatchNorm1d(8)


def frozen(net):
    return [m for m in net.modules() if isinstance(m, Norm) or isinstance(m, TYPES)]


def matched(module):
    match module:
        case nn.BatchNorm2d():
            return True
    return False
