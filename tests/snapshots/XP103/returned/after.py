import torch
import torch_xla


def pick():
    if torch.cuda.is_available():
        return "xla"
    return "cpu"


x = torch.zeros(3).to(pick())
