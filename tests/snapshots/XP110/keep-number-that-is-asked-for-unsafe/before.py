import torch


def enough(wanted):
    count = torch.cuda.device_count()
    return count >= wanted


def all_eight():
    count = torch.cuda.device_count()
    assert count == 8
