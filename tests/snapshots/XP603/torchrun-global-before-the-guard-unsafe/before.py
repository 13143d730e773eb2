import torch.distributed as dist

rounds = 3


def main(rounds):
    dist.init_process_group("nccl")


if __name__ == "__main__":
    rounds = rounds + 1
    main(rounds)
