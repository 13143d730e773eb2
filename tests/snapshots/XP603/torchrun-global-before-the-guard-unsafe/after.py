import torch.distributed as dist
import torch_xla.distributed.xla_backend

rounds = 3


def main(rounds):
    dist.init_process_group("xla", init_method="xla://")


if __name__ == "__main__":
    rounds = rounds + 1
    main(rounds)
