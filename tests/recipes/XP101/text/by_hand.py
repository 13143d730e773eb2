import torch_xla

print(f"{torch_xla.device()}")
