import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    print(args.lr)


if __name__ == "__main__":
    args = parse()
    main()
