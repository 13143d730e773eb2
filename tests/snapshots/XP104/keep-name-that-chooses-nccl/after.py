import torch
import torch.distributed as dist


def main(url, gpus):
    has_gpu = torch.cuda.is_available()
    if has_gpu:
        assert gpus <= torch.cuda.device_count()
    dist.init_process_group(backend="NCCL" if has_gpu else "GLOO", init_method=url)
