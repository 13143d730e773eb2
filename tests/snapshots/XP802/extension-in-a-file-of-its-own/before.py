import torch
from torch.utils.cpp_extension import load

fused = load("fused", sources=["fused.cpp", "fused_kernel.cu"])


def fused_leaky_relu(x, bias):
    if x.device.type == "cpu":
        return torch.nn.functional.leaky_relu(x + bias, 0.2)
    return fused.fused_bias_act(x, bias)
