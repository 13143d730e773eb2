import torch

x = torch.zeros(3, device="cu" "da")
