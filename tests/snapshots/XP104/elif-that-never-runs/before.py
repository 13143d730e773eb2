import torch


def place(name, x):
    if name == "cpu":
        return x
    elif name == "cuda" and not torch.cuda.is_available():
        return None
    elif name == "mps":
        return x * 2
    if name == "a":
        x = x + 1
    # no GPU
    elif not torch.cuda.is_available():
        raise RuntimeError("no GPU")
    else:
        x = x + 2
    if name == "b":
        x = x + 1
    elif not torch.cuda.is_available():
        print("no GPU")
    return x
