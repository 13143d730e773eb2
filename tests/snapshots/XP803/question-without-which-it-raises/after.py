import torch
from torch.backends import cudnn


def normed(weight, bias):
    for x in (weight, bias):
        if x is not None and not cudnn.is_acceptable(x):
            raise RuntimeError("no cuDNN")
    assert cudnn.is_acceptable(weight), "no cuDNN"
    return torch.nn.functional.batch_norm(weight, None, None, training=True)
