import fire
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
import torch_xla
import torch_xla.distributed.xla_backend


def main(lr: float = 0.1):
    dist.init_process_group("xla", init_method="xla://")
    model = DDP(
        build(),
        gradient_as_bucket_view=True,
    )


def _mp_fn(index):  # for: torchrun
    fire.Fire(main)


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
