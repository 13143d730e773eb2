import torch
import torch_xla


def init(device="xla"):
    kind, *index = device.split(":", maxsplit=1)
    if kind == "xla":
        print("cuda")
    if index:
        print(index[0])
    return torch.device(device)
