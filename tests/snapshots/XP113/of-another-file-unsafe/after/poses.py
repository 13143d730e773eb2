import torch


def turned(angle):
    return torch.as_tensor([[angle, 0.0], [0.0, 1.0]], dtype=torch.float32) @ torch.as_tensor([1.0, angle], dtype=torch.float32)
