import argparse


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda", choices=["cuda", "cpu"], help="cuda or cpu")
    parser.add_argument("--out", default="runs/cuda")
    return parser.parse_args()
