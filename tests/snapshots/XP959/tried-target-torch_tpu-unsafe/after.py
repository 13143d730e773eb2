import contextlib
import os

import torch

try:
    import torch
    import torch_tpu

    HAS_TPU = True
except ImportError:
    HAS_TPU = False

try:
    if os.environ.get("TPU_NAME"):
        import torch_tpu
except Exception:
    print("no TPU")

with contextlib.suppress(ImportError):
    import torch_tpu

    HAS_TPU = True


def needed():
    import torch_tpu

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
