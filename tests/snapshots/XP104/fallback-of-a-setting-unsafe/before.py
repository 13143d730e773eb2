import torch


def setup(cfg, device=None):
    if not torch.cuda.is_available():
        cfg.MODEL.DEVICE = "cpu"
    if device is None and not torch.cuda.is_available():
        device = torch.device("cpu")
    return cfg, device
