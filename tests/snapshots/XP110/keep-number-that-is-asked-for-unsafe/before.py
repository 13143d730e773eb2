import torch


def enough(wanted):
    count = torch.cuda.device_count()
    return count >= wanted


def all_eight():
    count = torch.cuda.device_count()
    assert count == 8


def enough_or_error(wanted):
    count = torch.cuda.device_count()
    if count < wanted:
        print("too few")
        raise RuntimeError


def enough_or_end(wanted):
    count = torch.cuda.device_count()
    if count < wanted:
        exit(1)


def or_the_host(wanted):
    count = torch.cuda.device_count()
    device = "cuda"
    if wanted > count:
        print("too few, so this runs on the CPU")
        device = "cpu"
    return device
