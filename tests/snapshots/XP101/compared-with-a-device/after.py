import torch_xla


def check(x):
    assert x.device == torch_xla.device()
