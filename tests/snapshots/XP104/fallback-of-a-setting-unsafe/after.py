import torch_xla


def setup(cfg, device=None):
    if cfg.MODEL.DEVICE != "cpu":
        cfg.MODEL.DEVICE = "xla"
    if device is None:
        device = torch_xla.device()
    return cfg, device
