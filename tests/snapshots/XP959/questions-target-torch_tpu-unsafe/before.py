import importlib.util
import sys, torch_xla.runtime as xr

try:
    import torch_xla.core.xla_model as xm

    HAS_TPU = True
except ImportError:
    HAS_TPU = False

if importlib.util.find_spec("torch_xla") is not None:
    print("there")


def ask():
    import torch_xla

    return 1


if "torch_xla" in sys.modules:
    print("loaded", "torch_xla")
