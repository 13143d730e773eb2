import torch_xla

print(f"running on {torch_xla.device()}")
