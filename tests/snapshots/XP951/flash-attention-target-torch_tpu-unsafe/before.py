import math

import torch
import torch.nn.functional as F
from torch import nn
from torch_xla.experimental.custom_kernel import flash_attention


class Attention(nn.Module):
    def __init__(self, width, heads, is_causal):
        super().__init__()
        self.heads, self.is_causal = heads, is_causal
        self.qkv = nn.Linear(width, 3 * width)

    def forward(self, x):
        batch, length, width = x.shape
        parts = self.qkv(x).view(batch, length, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        q, k, v = parts.unbind(0)
        q = q / math.sqrt(q.shape[-1])
        return flash_attention(q, k, v, causal=self.is_causal).transpose(1, 2).reshape(batch, length, width)


def attend(q, k, v, mesh):
    first = flash_attention(q, k, v)
    second = flash_attention(q, k, v, True, None, None, q.shape[-1] ** -0.5)
    third = flash_attention(F.normalize(q), k, v=v, sm_scale=0.0, ab=None, partition_spec=None, mesh=None)
    # How SPMD divides them.
    third = third + flash_attention(q, k, v, partition_spec=("fsdp", None, None, None), mesh=mesh)
    return first + second + third


def attend_here(q, k, v):
    from torch_xla.experimental.custom_kernel import flash_attention as attention

    # No mask.
    return attention(
        q, k, v, causal=False
    )
