import argparse
import torch_xla


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="xla", choices=["xla", "cpu"], help="cuda or cpu")
    parser.add_argument("--out", default="runs/cuda")
    return parser.parse_args()
