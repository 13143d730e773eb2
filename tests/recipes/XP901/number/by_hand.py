import torch_xla
print(torch_xla.device())
