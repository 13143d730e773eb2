import importlib
from importlib import import_module

import pytest

flash = importlib.import_module("flash_attn")
triton = __import__("triton")
kernels = import_module("apex.normalization.fused_layer_norm")
pytest.importorskip("xformers.ops")
