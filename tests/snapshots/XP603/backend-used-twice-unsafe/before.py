import torch.distributed as dist


def main():
    backend = "nccl"
    print(backend)
    dist.init_process_group(backend)


if __name__ == "__main__":
    main()
