import argparse
import logging
import warnings

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--cuda", action="store_true")
parser.add_argument("--no_gpu", action="store_true")
args = parser.parse_args()

# said to those who forget the option
if torch.cuda.is_available() and not args.cuda:
    print("WARNING: this machine has a CUDA device, use --cuda")

if torch.cuda.is_available():
    if args.no_gpu:
        warnings.warn("There is a GPU.")
        logging.warning("Running on the CPU.")


def hint():
    if not args.cuda and torch.cuda.is_available():
        print(f"{torch.cuda.device_count()} GPUs are not used")


if args.cuda:
    print("with an accelerator")
elif torch.cuda.is_available() and not args.cuda:
    print("a GPU is there")
