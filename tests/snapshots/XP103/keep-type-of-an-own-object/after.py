class Target:
    def __init__(self, kind):
        self.type = kind


def name(device):
    return "gpu" if device.type == "cuda" else "host"


print(name(Target("cuda")))
