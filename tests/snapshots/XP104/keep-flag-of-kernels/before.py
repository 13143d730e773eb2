import torch

try:
    from own import FusedNorm

    has_fused_norm = True
except ImportError:
    has_fused_norm = False


def norm(size, export):
    if not export and torch.cuda.is_available() and has_fused_norm:
        return FusedNorm(size)
    return torch.nn.LayerNorm(size)
