import os

import torch

os.environ["XRT_TPU_CONFIG"] = "localservice;0;localhost:51011"
os.environ.setdefault("XRT_WORKERS", "localservice:0;grpc://localhost:40934")
if "TPU" in os.environ:
    os.environ["XRT_DEVICE_MAP"] = "CPU:0"
os.environ["XLA_USE_FP16"] = "1"
os.environ["GPU_NUM_DEVICES"] = "1"
os.environ["XRT_SHARD_ORDINAL"] = ask()
os.environ["XLA_USE_BF16"] = "1"
os.environ["XLA_DOWNCAST_BF16"] = "1"
os.environ["XLA_USE_SPMD"] = "1"
os.environ["TPU_NUM_DEVICES"] = "4"
os.environ["PJRT_DEVICE"] = "CUDA"
os.environ["PJRT_DEVICE"] = "TPU"
