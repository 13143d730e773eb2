import torch_xla

DEVICE = "xla"
BACKENDS = {"cuda": "nccl", "xpu": "ccl"}
