import torch_xla

if (device := torch_xla.device()) is not None:
    print(device)
