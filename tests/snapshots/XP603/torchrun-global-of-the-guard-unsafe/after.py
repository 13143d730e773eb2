import torch.distributed as dist
import torch_xla.distributed.xla_backend


def main():
    dist.init_process_group("xla", init_method="xla://")
    print(args.lr)


if __name__ == "__main__":
    args = parse()
    main()
