import torch


def engine(device):
    import tensorrt as trt

    if device.type == "cpu":
        device = torch.device("cuda:0")
    return trt.Runtime(device)
