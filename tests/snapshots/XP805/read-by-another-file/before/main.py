import os

import gpus
import torch

os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"
os.environ["NCCL_DEBUG"] = "INFO"
