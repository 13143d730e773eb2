import torch


def log(parts, loss):
    if torch.cuda.is_available():
        parts.append("memory {memory:.0f}")
    text = " ".join(parts)
    if torch.cuda.is_available():
        print(text.format(loss=loss, memory=torch.cuda.utilization()), parts)
    else:
        print(text.format(loss=loss))
