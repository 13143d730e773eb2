import torch
import torch_xla
kind = torch.device("xla:0").index
print(kind)
