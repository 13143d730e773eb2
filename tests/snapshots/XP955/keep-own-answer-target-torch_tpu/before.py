import torch


class Settings:
    def __init__(self, args):
        self.is_xla = args.device == "tpu"
        self.kind = dict(type="xla")


def report(settings):
    return settings.is_xla, torch.__version__
