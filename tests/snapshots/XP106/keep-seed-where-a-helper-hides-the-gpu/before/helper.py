import os

import torch

os.environ["CUDA_VISIBLE_DEVICES"] = ""


def seed_all(seed=0):
    torch.manual_seed(seed)
