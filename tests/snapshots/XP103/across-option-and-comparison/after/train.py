import torch

from engine import evaluate
from options import parse


def main():
    args = parse()
    print("running on", args.device)
    model = torch.nn.Linear(3, 3).to(args.device)
    evaluate(model, args)


main()
