import torch


def init(device="cuda"):
    kind, *index = device.split(":", maxsplit=1)
    if kind == "cuda":
        print("cuda")
    if index:
        print(index[0])
    return torch.device(device)
