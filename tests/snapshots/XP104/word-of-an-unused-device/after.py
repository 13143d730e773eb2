import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--no_gpu", action="store_true")
args = parser.parse_args()

# said to those who forget the option


def hint():
    pass


if args.cuda:
    print("with an accelerator")
