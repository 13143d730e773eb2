import torch as th
import torch_xla


def dev():
    if th.cuda.is_available():
        return torch_xla.device()
    return th.device(f"cpu")


def of_rank(rank):
    return torch_xla.device()


def of_kind(kind):
    return th.device(f"{kind}")


def of_number(rank):
    return torch_xla.device()
