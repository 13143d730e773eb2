import torch


def choose(wish):
    if wish != "cpu" and torch.cuda.is_available():
        print(torch.cuda.get_device_properties(0))
        name = "cuda:0"
    else:
        name = "cpu"
    return torch.device(name)
