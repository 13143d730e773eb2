import os

import torch

os.environ["XRT_SHARD_ORDINAL"] = ask()
os.environ["XLA_USE_BF16"] = "1"
os.environ["XLA_DOWNCAST_BF16"] = "1"
os.environ["XLA_USE_SPMD"] = "1"
os.environ["TPU_NUM_DEVICES"] = "4"
os.environ["PJRT_DEVICE"] = "CUDA"
os.environ["PJRT_DEVICE"] = "TPU"
