from torch import device as Device

dev = Device("cuda")
