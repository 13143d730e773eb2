import torch


def move(batch):
    return {k: v.cuda() for k, v in batch.items()}
