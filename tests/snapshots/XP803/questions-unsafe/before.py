import torch

print(torch.cuda.get_device_name(0))
index = torch.accelerator.current_device_index()
half = torch.is_autocast_enabled()
