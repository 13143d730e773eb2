import torch

if torch.cuda.device_count() > 0:
    print(torch.cuda.get_device_name(0))
if torch.cuda.device_count() == 0:
    name = "none"
else:
    name = torch.cuda.get_device_name(0)
