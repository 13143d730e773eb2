from torch.cuda import get_device_name as name

print(name())
from socket import gethostname as name

print(name())


def where():
    return name()


def choose(local):
    if local:
        from platform import node as ask
    else:
        from torch.cuda import get_device_name as ask
    return ask()
