import contextlib
import os

import torch

try:
    import torch
    import torch_xla.core.xla_model as xm

    HAS_TPU = True
except ImportError:
    HAS_TPU = False

try:
    if os.environ.get("TPU_NAME"):
        import torch_xla
except Exception:
    print("no TPU")

with contextlib.suppress(ImportError):
    import torch_xla

    HAS_TPU = True


def needed():
    import torch_xla

    return True


try:
    needed()
except ImportError:
    HAS_TPU = False


def not_asked():
    return True


try:
    print("else")
except ImportError:
    print("no")
else:
    pass
print(not_asked(), HAS_TPU)
