import torch

MB = 1024.0 * 1024.0


def log_every(loader, header):
    message = " ".join([header, "{meters}", "max mem: {memory:.0f}"])
    for batch in loader:
        yield batch
        print(message.format(meters="", memory=torch.cuda.max_memory_allocated() / MB))


def fits(model):
    if torch.cuda.is_available():
        return torch.cuda.memory_allocated() < 10 * MB
    return False
