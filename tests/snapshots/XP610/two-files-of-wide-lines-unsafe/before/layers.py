import torch
import torch.nn as nn


def block():
    return nn.Sequential(nn.Linear(4, 4), nn.SyncBatchNorm(4))


def block_of_several_layers_with_normalization():
    return block()
