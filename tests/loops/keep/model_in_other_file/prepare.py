import torch


def windows(series, length):
    found = []
    for start in range(len(series) - length):
        found.append(series[start : start + length])
    return torch.stack(found)


def normalise(batches):
    for batch in batches:
        yield (batch - batch.mean()) / batch.std()
