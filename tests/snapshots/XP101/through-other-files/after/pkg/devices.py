from torch import device
