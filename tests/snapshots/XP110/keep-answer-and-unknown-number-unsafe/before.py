import torch


def several():
    return torch.cuda.device_count() > 1


def enough(wanted, parser, check):
    parser.add_argument("--gpus", default=torch.cuda.device_count())
    check(torch.cuda.device_count)
    return torch.cuda.device_count() >= wanted
