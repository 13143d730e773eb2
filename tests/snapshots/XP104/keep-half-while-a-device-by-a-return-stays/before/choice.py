import torch


def choose(wish):
    if wish == "cpu" or not torch.cuda.is_available():
        return torch.device("cpu")
    print(torch.cuda.get_device_properties(0))
    return torch.device("cuda:0")
