NAMES = {"cuda": "gpu", "cpu": "host"}


def load(x, device="cuda"):
    print(NAMES.get(device))
    return x.to(device)
