import torch


def place(local_rank, wanted):
    assert torch.cuda.device_count() > local_rank, "insufficient GPUs"
    assert not torch.cuda.device_count() < wanted
    assert wanted == 1 or torch.cuda.device_count() >= wanted
    assert 0 < torch.cuda.device_count() < wanted
    return wanted <= torch.cuda.device_count()


def worker(rank, wanted):
    assert wanted <= torch.cuda.device_count()
