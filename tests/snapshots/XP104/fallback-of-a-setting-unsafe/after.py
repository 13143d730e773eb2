import torch_xla


def setup(cfg, device=None):
    cfg.MODEL.DEVICE = "xla"
    if device is None:
        device = torch_xla.device()
    return cfg, device
