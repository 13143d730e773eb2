import torch

if torch.cuda.is_available():
    from .kernels import fused
if torch.cuda.is_available():
    import my_cuda_ops
else:
    my_cuda_ops = None
