import torch


def set_device(device):
    if device.startswith("npu:"):
        torch.npu.set_device(device)


def choose(device):
    if device.type == "cuda":
        pass
    elif device.type == "mps":
        print("mps")
    else:
        print("the host")


def commented(device):
    if device.type == "cuda":
        pass
    # of Apple
    elif device.type == "mps":
        print("mps")


def both(device, name):
    if device == "cuda":
        pass
    elif name == "cuda":
        print(name)
