import torch
from cupy.cuda import function
from torch import nn


class Kernel(nn.Module):
    def forward(self, x):
        module = function.Module()
        return module.get_function("double")(x)


class Plain(nn.Module):
    def forward(self, x):
        return x * 2


class Layer(nn.Module):
    def forward(self, x, use_cuda=True):
        use_cuda = use_cuda and torch.cuda.is_available()
        return Kernel()(x) if use_cuda else Plain()(x)

    def again(self, x):
        return Kernel()(x) if torch.cuda.is_available() else Plain()(x)


print(Layer()(torch.ones(2).cuda()))
