import torch

properties = torch.cuda.get_device_properties(torch.device("cuda"))
memory = torch.cuda.memory_allocated(device=torch.device("cuda:0"))
