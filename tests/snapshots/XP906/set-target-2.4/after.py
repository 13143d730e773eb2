import os

import torch

os.environ["XLA_USE_BF16"] = "1"
os.environ["GPU_NUM_DEVICES"] = "4"
os.environ["PJRT_DEVICE"] = "CUDA"
os.environ["PJRT_DEVICE"] = "GPU"
