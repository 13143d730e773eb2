import torch.distributed as dist


def main(args):
    dist.init_process_group(backend=args.backend)


if __name__ == "__main__":
    main(parse())
