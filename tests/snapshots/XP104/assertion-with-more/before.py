import torch


def main(a):
    assert torch.cuda.is_available() and a, "both are needed"
