import ignite.distributed as idist
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    print(idist.get_rank())


if __name__ == "__main__":
    main()
