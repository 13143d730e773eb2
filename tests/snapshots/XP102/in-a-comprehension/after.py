import torch
import torch_xla


def move(batch):
    return {k: v.to(torch_xla.device()) for k, v in batch.items()}
