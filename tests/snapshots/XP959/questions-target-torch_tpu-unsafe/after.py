import importlib.util
import sys

try:
    import torch_tpu

    HAS_TPU = True
except ImportError:
    HAS_TPU = False

if importlib.util.find_spec("torch_tpu") is not None:
    print("there")


def ask():
    return 1


if "torch_tpu" in sys.modules:
    print("loaded", "torch_xla")
