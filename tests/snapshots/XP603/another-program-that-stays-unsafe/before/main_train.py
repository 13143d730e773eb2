import argparse

import torch
from torch.nn.parallel import DistributedDataParallel

import utils


def main(args):
    utils.init_distributed_mode(args)
    model = DistributedDataParallel(torch.nn.Linear(4, 1).cuda(), device_ids=[args.gpu])
    if utils.is_main_process():
        print(model)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--dist_url", default="env://")
    main(parser.parse_args())
