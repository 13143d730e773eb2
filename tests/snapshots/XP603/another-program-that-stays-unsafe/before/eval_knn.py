import argparse

import torch
import torch.distributed as dist

import utils


def main(args):
    utils.init_distributed_mode(args)
    work = dist.all_reduce(torch.ones(1).cuda(), async_op=True)
    while not work.is_completed():
        print("not yet", dist.get_rank())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--dist_url", default="env://")
    main(parser.parse_args())
