import importlib.util

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
