import torch


def setup(cfg):
    if not torch.cuda.is_available():
        cfg.MODEL.DEVICE = "cpu"
    return cfg
