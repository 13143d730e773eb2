import os

import torch

os.environ["XLA_FLAGS"] = "--xla_dump_to=/tmp/hlo"
os.environ["PJRT_DEVICE"] = "TPU"
os.environ["TPU_VISIBLE_CHIPS"] = "0"
os.environ["CPU_NUM_DEVICES"] = "4"
print("XRT_TPU_CONFIG is no longer needed, nor is XLA_USE_BF16")
labels = ["XRT_WORKERS"]
table["XRT_TPU_CONFIG"] = 1  # os.environ["XRT_TPU_CONFIG"]
