import torch


def pick():
    if torch.cuda.is_available():
        return "cuda"
    return "cpu"


x = torch.zeros(3).to(pick())
