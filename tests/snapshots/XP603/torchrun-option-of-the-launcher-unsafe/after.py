import argparse
import torch.distributed as dist
import os
import torch_xla.distributed.xla_backend


def main(args):
    dist.init_process_group(backend="xla", init_method="xla://")
    model.cuda(args.local_rank)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int, default=os.environ.get("LOCAL_RANK"))
    main(parser.parse_args())
