import argparse

parser = argparse.ArgumentParser(description="cuda")
parser.add_argument("--backend", default="cuda", help="cuda")
args = parser.parse_args()
print(args.backend)
