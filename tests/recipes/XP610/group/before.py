import torch
import torch.distributed as dist
import torch_xla
import torch_xla.distributed.xla_backend


def main(group):
    dist.init_process_group("xla", init_method="xla://")
    layer = torch.nn.SyncBatchNorm(4, process_group=group)
    return torch.nn.SyncBatchNorm.convert_sync_batchnorm(torch.nn.Sequential(layer), group)


def _mp_fn(index):
    main(None)


if __name__ == "__main__":
    torch_xla.launch(_mp_fn)
