import math

import torch
import torch.nn.functional as F
from torch import nn


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
        return F.scaled_dot_product_attention(q, k, v, is_causal=self.is_causal, scale=1.0).transpose(1, 2).reshape(batch, length, width)


def attend(q, k, v, mesh):
    first = F.scaled_dot_product_attention(q, k, v, scale=1.0)
    second = F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=q.shape[-1] ** -0.5)
    third = F.scaled_dot_product_attention(F.normalize(q), k, v, scale=0.0)
    # How SPMD divides them.
    third = third + F.scaled_dot_product_attention(q, k, v, scale=1.0)
    return first + second + third


def attend_here(q, k, v):
    # No mask.
    return F.scaled_dot_product_attention(q, k, v, scale=1.0)
