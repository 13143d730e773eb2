import torch


def main():
    if torch.cuda.is_available():
        torch.cuda.synchronize()
