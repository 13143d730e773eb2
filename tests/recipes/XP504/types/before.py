import torch
from torch.cuda.amp import custom_fwd

OPTIONS = {"cast_inputs": torch.bfloat16}


class Double(torch.autograd.Function):
    @staticmethod
    @custom_fwd(**OPTIONS)
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2
