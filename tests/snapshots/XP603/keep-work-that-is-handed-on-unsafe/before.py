import torch
import torch.distributed as dist


def main():
    dist.init_process_group("nccl")
    values = [torch.ones(2, device="cuda") for _ in range(3)]
    works = [dist.all_reduce(value, async_op=True) for value in values]
    for work in works:
        work.wait()
    return values


if __name__ == "__main__":
    main()
