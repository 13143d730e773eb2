import argparse

import torch


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--dev", dest="device", type=str, default="cuda:0")
    return parser.parse_args()


def main():
    args = parse()
    return torch.zeros(3, device=args.device)
