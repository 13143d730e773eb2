import torch


def main(a):
    if a and not torch.cuda.is_available():
        raise RuntimeError("no GPU")
    if not torch.cuda.is_available() and a:
        print("slow")
