import os

import torch

os.environ["XRT_TPU_CONFIG"] = "localservice;0;localhost:51011"
del os.environ["XRT_TPU_CONFIG"]
os.environ["XRT_WORKERS"] = "a"
os.environ["XRT_WORKERS"] += "b"
print(f"{os.environ['XRT_DEVICE_MAP']}")
os.environ.update(XLA_USE_BF16="1")
env = dict(os.environ)
env["XLA_USE_BF16"] = "1"
