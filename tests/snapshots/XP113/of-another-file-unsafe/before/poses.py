import torch


def turned(angle):
    return torch.Tensor([[angle, 0.0], [0.0, 1.0]]) @ torch.Tensor([1.0, angle])
