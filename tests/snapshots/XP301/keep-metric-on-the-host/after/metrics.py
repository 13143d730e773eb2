import torch


def accuracy(output, target, threshold=0.5):
    hits = torch.sum((output > threshold) == target)
    return float(hits) / output.numel()
