import io

import torch as th


def dev():
    if th.cuda.is_available():
        return th.device("cuda")
    return th.device("cpu")


def load_state_dict(path, **kwargs):
    with open(path, "rb") as file:
        data = file.read()
    return th.load(io.BytesIO(data), **kwargs)


def load_config(path, **kwargs):
    return open(path, **kwargs)
