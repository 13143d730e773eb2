import argparse

import torch.distributed as dist

parser = argparse.ArgumentParser()
parser.add_argument("--dist-backend", default="xla")
args = parser.parse_args()
dist.init_process_group(args.dist_backend, init_method="xla://")
