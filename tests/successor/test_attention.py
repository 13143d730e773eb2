"""PyTorch's attention gives what the kernel behind torch_xla's flash_attention() is to give, by its own reference."""

from __future__ import annotations

import numpy
import pytest
import torch
from torch.nn import functional as F

jnp = pytest.importorskip("jax.numpy", reason="jax of this version needs Python 3.11")
kernel = pytest.importorskip("jax.experimental.pallas.ops.tpu.flash_attention")


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("scale", [1.0, 0.25])
@pytest.mark.parametrize("keys", [6, 10])
def test_attention_is_that_of_the_kernel(causal: bool, scale: float, keys: int) -> None:
    generator = torch.Generator().manual_seed(3)
    q, k, v = (torch.randn(2, 3, length, 8, generator=generator) for length in (6, keys, keys))
    found = F.scaled_dot_product_attention(q, k, v, is_causal=causal, scale=scale)
    given = (jnp.asarray(tensor.numpy()) for tensor in (q, k, v))
    expected = kernel.mha_reference(*given, None, None, causal=causal, sm_scale=scale)
    assert numpy.allclose(found.numpy(), numpy.asarray(expected), rtol=1e-4, atol=1e-5)
