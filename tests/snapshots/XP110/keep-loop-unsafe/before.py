import torch

for index in range(torch.cuda.device_count()):
    print(torch.cuda.get_device_name(index))
