import torch

MB = 1024.0 * 1024.0


def log_every(loader, header):
    if torch.cuda.is_available():
        message = " ".join([header, "{meters}", "max mem: {memory:.0f}"])
    else:
        message = " ".join([header, "{meters}"])
    for batch in loader:
        yield batch
        if torch.cuda.is_available():
            print(message.format(meters="", memory=torch.cuda.max_memory_allocated() / MB))
        else:
            print(message.format(meters=""))


def fits(model):
    if torch.cuda.is_available():
        return torch.cuda.memory_allocated() < 10 * MB
    return False
