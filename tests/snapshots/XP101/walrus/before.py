import torch

if (device := torch.device("cuda")) is not None:
    print(device)
