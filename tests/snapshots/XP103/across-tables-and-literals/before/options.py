import argparse

from config import CUDA, KNOWN


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda", choices=KNOWN)
    args = parser.parse_args()
    assert args.device in KNOWN
    return args.device == CUDA, args
