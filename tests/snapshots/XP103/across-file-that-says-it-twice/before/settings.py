DEVICE = "cuda"
BACKENDS = {"cuda": "nccl", "xpu": "ccl"}
