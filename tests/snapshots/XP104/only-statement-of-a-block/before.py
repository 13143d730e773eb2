import torch


def main():
    if not torch.cuda.is_available():
        print("no GPU")
