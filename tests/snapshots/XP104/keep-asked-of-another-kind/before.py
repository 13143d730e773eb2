import torch


def is_available(kind):
    found = False
    if kind == "cuda":
        found = torch.cuda.is_available()
    elif kind == "mps":
        found = torch.backends.mps.is_available()
    return found, torch.cuda.is_available() if kind.startswith("cuda") and kind else True
