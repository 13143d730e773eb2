import my_torch_xla
from mine import torch_xla

print("import torch_xla")
