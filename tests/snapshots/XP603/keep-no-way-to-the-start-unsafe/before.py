import torch.distributed as dist


class Trainer:
    def join(self):
        dist.init_process_group("nccl")


def main(trainer):
    trainer.join()


if __name__ == "__main__":
    main(make())
