import torch as th


def dev():
    if th.cuda.is_available():
        return th.device(f"cuda")
    return th.device(f"cpu")


def of_rank(rank):
    return th.device(f"cuda:{rank}")


def of_kind(kind):
    return th.device(f"{kind}")


def of_number(rank):
    return th.device('cuda:{:d}'.format(rank))
