import torch

x = torch.zeros(2)
print(x.is_xla, torch.device(type="xla"))


def moved(y):
    return y.is_xla


def chosen(device):
    import torch.distributed as dist

    kind = {"cpu": 1, "xla": 2}[device.type]
    return kind, dist.get_backend() == "xla", dist.get_backend() in ("xla", "gloo")
