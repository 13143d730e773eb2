import torch
from torch_xla.experimental.custom_kernel import FlashAttention, flash_attention
from torch_xla.experimental.splash_attention import splash_attention


def attend(q, k, v, segments, bias, **options):
    attended = flash_attention(q, k, v, True, segments, segments)
    attended = attended + flash_attention(q, k, v, ab=bias)
    attended = attended + flash_attention(*(q, k, v))
    attended = attended + flash_attention(q, k, v, **options)
    attended = attended + FlashAttention.apply(q, k, v, False, None, None, 1.0, None, None, None)
    return attended + splash_attention(q, k, v, "config")


attention = {"flash": flash_attention}
