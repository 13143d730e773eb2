import torch

if not torch.cuda.is_available():
    raise RuntimeError("a GPU is needed")
print("go")
