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
            print(message.format(meters="", memory=torch.cuda.utilization()))
        else:
            print(message.format(meters=""))


