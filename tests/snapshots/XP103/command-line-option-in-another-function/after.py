import argparse

import torch
import torch_xla


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dev", dest="device", type=str, default="xla")
    return parser.parse_args()


def main():
    args = parse()
    return torch.zeros(3, device=args.device)
