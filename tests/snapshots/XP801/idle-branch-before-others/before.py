import torch


def set_device(device):
    if device.startswith("cuda:"):
        torch.cuda.set_device(device)
    elif device.startswith("npu:"):
        torch.npu.set_device(device)


def choose(device):
    if device.type == "cuda":
        torch.cuda.set_device(device)
    elif device.type == "mps":
        print("mps")
    else:
        print("the host")


def commented(device):
    if device.type == "cuda":
        torch.cuda.set_device(device)
    # of Apple
    elif device.type == "mps":
        print("mps")


def both(device, name):
    if device == "cuda":
        torch.cuda.set_device(device)
    elif name == "cuda":
        print(name)
