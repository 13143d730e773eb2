import os


class dist:
    def init_process_group(backend):
        return backend


def main():
    dist.init_process_group("nccl")
    return int(os.environ["LOCAL_RANK"])


if __name__ == "__main__":
    main()
