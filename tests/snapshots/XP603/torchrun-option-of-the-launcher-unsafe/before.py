import argparse
import torch.distributed as dist


def main(args):
    dist.init_process_group(backend="nccl")
    model.cuda(args.local_rank)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--local_rank", type=int)
    main(parser.parse_args())
