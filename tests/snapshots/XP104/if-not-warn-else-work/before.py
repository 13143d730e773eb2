import torch
import warnings


def main(model):
    if not torch.cuda.is_available():
        warnings.warn("slow")
    else:
        model.prepare()
