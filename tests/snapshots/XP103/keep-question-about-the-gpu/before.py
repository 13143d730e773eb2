import torch

properties = torch.cuda.get_device_properties("cuda:0")
