import torch
from torch.autograd import Function


class Double(Function):
    @staticmethod
    def forward(ctx, x: torch.Tensor):
        if not x.is_cuda:
            raise NotImplementedError("not on the CPU")
        return x * 2
