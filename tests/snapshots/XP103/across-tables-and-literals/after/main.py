import torch
from config import Config
from options import parse


def main():
    on_gpu, args = parse()
    config = Config()
    x = torch.zeros(3).to(args.device)
    y = torch.zeros(3, device=config.device)
    return x, y, on_gpu
