class Config:
    device = "xla"


def default_device():
    return "xla"
