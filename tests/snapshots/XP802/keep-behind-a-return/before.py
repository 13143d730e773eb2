import torch


def report():
    if not torch.cuda.is_available():
        return
    print(torch.cuda.get_device_name(0))
