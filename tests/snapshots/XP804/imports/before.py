import torch
import triton
import triton.language as tl
from flash_attn import flash_attn_func

try:
    import xformers.ops as xops
except ImportError:
    xops = None


def attend(q, k, v):
    import bitsandbytes as bnb

    return flash_attn_func(q, k, v), bnb
