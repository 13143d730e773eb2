import fire
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP


def main(lr: float = 0.1):
    dist.init_process_group("nccl")
    model = DDP(
        build(),
        device_ids=[0],
        gradient_as_bucket_view=False,
    )


if __name__ == "__main__":  # for: torchrun
    fire.Fire(main)
